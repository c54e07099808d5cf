//! A job as plain data: a table of texts, what is known about its columns, and what is asked. The drawer makes it, the
//! checker reads it; nothing here knows the library.

/// Everything one job needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The table, column by column; all columns have equally many cells.
    pub columns: Vec<Column>,
    /// What is asked.
    pub asked: Asked,
    /// How the table is stored.
    pub input: Format,
    /// How the release is to be stored.
    pub output: Format,
}

/// How a table is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Commas between fields.
    Csv,
    /// Semicolons between fields, in a file called `.csv`.
    Semicolons,
    /// Tabs between fields.
    Tsv,
    /// Apache Parquet.
    Parquet,
    /// An Arrow IPC file.
    Arrow,
}

impl Format {
    /// How the names of its files end.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv | Self::Semicolons => "csv",
            Self::Tsv => "tsv",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
        }
    }

    /// Whether it holds texts only, so that an empty text and no value are the same.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Csv | Self::Semicolons | Self::Tsv)
    }
}

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Dropped.
    Identifier,
    /// Dropped; rows with the same value are one person's.
    Person,
    /// Generalized.
    Quasi,
    /// Released as it is, protected by the demands.
    Sensitive,
    /// Released as it is.
    Kept,
}

/// How values compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers.
    Integer,
    /// Decimal numbers.
    Decimal,
    /// Days.
    Date,
    /// Instants.
    Timestamp,
    /// Names.
    Category,
}

/// The type of a column in formats that have types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// Text.
    Text,
    /// Text with long offsets.
    LargeText,
    /// Text by dictionary.
    Dictionary,
    /// 64-bit whole numbers.
    Whole,
    /// 64-bit floating point.
    Float,
    /// Days since 1970.
    Day,
    /// Milliseconds since 1970, by the clocks of nowhere.
    Instant,
    /// True or false.
    Truth,
}

/// What becomes of a missing quasi-identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// A value like any other.
    Value,
    /// The job is refused.
    Refuse,
    /// The row is suppressed.
    Suppress,
}

/// How far apart two sensitive values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// Different is different.
    Equal,
    /// By rank.
    Ordered,
    /// By the height of the lowest common ancestor.
    Hierarchical,
}

/// How intervals are published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intervals {
    /// `[1, 2]`.
    Text,
    /// Two columns.
    Bounds,
    /// One number.
    Midpoint,
}

/// What hiding among k means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notion {
    /// Every tuple occurs k times.
    K,
    /// Every person fits k tuples.
    OneK,
    /// Every tuple fits k people.
    K1,
    /// Both.
    Kk,
    /// k tuples could be a person's in an assignment of all people to all tuples.
    Global,
}

/// A demand on the values that a sensitive column has in a class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Demand {
    /// So many kinds of values.
    P(u32),
    /// So many different values.
    Distinct(u32),
    /// As uncertain as so many.
    Entropy(f64),
    /// c and l.
    Recursive(f64, u32),
    /// Largest share of a value.
    Alpha(f64),
    /// t-closeness, and its distance where one is named.
    Close(f64, Option<Ground>),
    /// Basic β-likeness.
    Likeness(f64),
    /// δ-disclosure privacy.
    Disclosure(f64),
}

/// The grid of interval ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Snap {
    /// Multiples of a number.
    Number(f64),
    /// First days of so many months.
    Months(i64),
    /// So many minutes.
    Minutes(i64),
}

/// A column and what the job says about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// One value per row; an empty text is a value only in formats that can tell.
    pub cells: Vec<Option<String>>,
    /// Its type in formats that have types.
    pub stored: Stored,
    /// The declared type.
    pub kind: Option<Kind>,
    /// Its hierarchy, from every leaf to the root.
    pub paths: Option<Vec<Vec<String>>>,
    /// How much its loss counts.
    pub weight: Option<f64>,
    /// What the steps between levels weigh.
    pub level_weights: Vec<(u32, f64)>,
    /// The grid of its interval ends.
    pub snap: Option<Snap>,
    /// What becomes of missing values.
    pub missing: Option<Missing>,
    /// Highest nodes.
    pub max_generalization: Vec<String>,
    /// Largest width.
    pub max_width: Option<f64>,
    /// Values no interval reaches across.
    pub cuts: Vec<String>,
    /// Nodes below which all values count as one.
    pub protected: Vec<String>,
    /// Its distance for t-closeness.
    pub closeness: Option<Ground>,
    /// What is asked of this column alone.
    pub demands: Vec<Demand>,
    /// Whether the job says so among the demands on all columns, with the name after an `@`.
    pub named: bool,
}

impl Snap {
    /// As it stands in a job.
    pub fn text(self) -> String {
        match self {
            Self::Number(step) => format!("{step:?}"),
            Self::Months(n) => format!("\"{n} months\""),
            Self::Minutes(n) => format!("\"{n} minutes\""),
        }
    }

    /// The widest that a value off the grid becomes, as widths are given: in days of dates, in seconds of timestamps.
    pub fn widest(self) -> f64 {
        match self {
            Self::Number(step) => step,
            Self::Months(n) => (n * 31 - 1) as f64,
            Self::Minutes(n) => (n * 60) as f64,
        }
    }
}

impl Column {
    /// A column of which nothing is known but its role.
    pub fn new(name: &str, role: Role, cells: Vec<Option<String>>) -> Self {
        Self {
            name: name.to_owned(),
            role,
            cells,
            stored: Stored::Text,
            kind: None,
            paths: None,
            weight: None,
            level_weights: Vec::new(),
            snap: None,
            missing: None,
            max_generalization: Vec::new(),
            max_width: None,
            cuts: Vec::new(),
            protected: Vec::new(),
            closeness: None,
            demands: Vec::new(),
            named: false,
        }
    }

    /// Whether anything limits how far it may be generalized.
    pub fn is_bounded(&self) -> bool {
        !self.max_generalization.is_empty() || self.max_width.is_some() || !self.cuts.is_empty()
    }
}

/// What is asked of the release.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// Smallest class.
    pub k: u32,
    /// Different sensitive values.
    pub p: Option<u32>,
    /// More about them, in every sensitive column.
    pub demands: Vec<Demand>,
    /// What hiding means.
    pub notion: Notion,
    /// By which algorithm.
    pub algorithm: String,
    /// Its settings.
    pub settings: Vec<(String, String)>,
    /// The measure.
    pub measure: Option<String>,
    /// Exponent of the weights of `whd`.
    pub beta: Option<f64>,
    /// The seed of the job.
    pub seed: u64,
    /// Different rows per block.
    pub block_rows: Option<usize>,
    /// Whether time is up from the beginning.
    pub hurried: bool,
    /// Whether rows keep their order.
    pub keep_order: bool,
    /// Whether suppressed rows stay as rows of `*`; not said where none.
    pub star: Option<bool>,
    /// How intervals are published.
    pub intervals: Intervals,
    /// What becomes of missing values.
    pub missing: Option<Missing>,
    /// Whether a missing sensitive value counts like any other.
    pub count_missing: bool,
    /// The share of rows that may be suppressed.
    pub suppress: Option<f64>,
    /// The column and value of people who do not mind.
    pub opt_out: Option<(String, String)>,
    /// Fixed levels.
    pub levels: Vec<(String, u32)>,
}

impl Case {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |c| c.cells.len())
    }

    /// The columns of a role.
    pub fn of(&self, role: Role) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(move |c| c.role == role)
    }

    /// Whether some demand does not survive adding rows: it looks at shares.
    pub fn asks_for_shares(&self) -> bool {
        let counts = |d: &Demand| matches!(d, Demand::P(_) | Demand::Distinct(_));
        self.of(Role::Sensitive).flat_map(|c| self.demands_on(c)).any(|demand| !counts(&demand))
    }

    /// Everything beyond k and the p of all columns that is asked of a sensitive column.
    pub fn demands_on(&self, column: &Column) -> Vec<Demand> {
        self.asked.demands.iter().chain(&column.demands).copied().collect()
    }

    /// What becomes of missing values of a column.
    pub fn missing_in(&self, column: &Column) -> Missing {
        column.missing.or(self.asked.missing).unwrap_or(Missing::Value)
    }

    /// The number of rows a share stands for.
    pub fn quota(&self, open: usize) -> Option<usize> {
        self.asked.suppress.map(|share| (share * open as f64 + 1e-9).floor() as usize)
    }
}
