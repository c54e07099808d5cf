//! A census-like table in a folder of its own.

use std::fs::File;
use std::path::PathBuf;
use std::sync::LazyLock;

use kohort::data::{Kind, Role, Table};
use kohort::generate::Generator;
use kohort::input::{FileTable, QiSpec, SensitiveSpec, encode, quasi_identifier, sensitive};
use tempfile::TempDir;

const ROWS: u64 = 10_000;

/// A made-up table on disk.
pub(crate) struct People {
    pub(crate) file: PathBuf,
    census: &'static Generator,
    folder: TempDir,
}

/// Made once, before anything is measured.
pub(crate) static PEOPLE: LazyLock<People> = LazyLock::new(|| {
    let census = kohort::generate::find("census").expect("there is a census");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("people.csv");
    let mut writer = arrow::csv::Writer::new(File::create(&file).expect("a file"));
    for batch in census.rows(ROWS, 1) {
        writer.write(&batch.expect("rows")).expect("a writable file");
    }
    People { file, census, folder }
});

impl People {
    pub(crate) fn source(&self) -> FileTable {
        FileTable::open(&self.file).expect("the table that was just written")
    }

    /// One role per column.
    pub(crate) fn roles(&self) -> Vec<Role> {
        self.census.columns().iter().map(|column| column.role).collect()
    }

    /// Reads and encodes all columns that algorithms and models look at.
    pub(crate) fn table(&self) -> Table {
        let (source, roles) = (self.source(), self.roles());
        let of_role = |role: Role| (0..roles.len()).filter(|&c| roles[c] == role).collect::<Vec<_>>();
        let trees = self.census.hierarchies().expect("trees");
        let qi = encode(&source, &of_role(Role::QuasiIdentifier)).expect("columns");
        let secrets = encode(&source, &of_role(Role::Sensitive)).expect("columns");
        let attribute = |column: kohort::input::Column| {
            let hierarchy = trees.iter().find(|tree| tree.name() == column.name).cloned();
            let kind = hierarchy.is_none().then_some(Kind::Integer);
            let spec = QiSpec { kind, hierarchy, ..QiSpec::default() };
            quasi_identifier(column, spec, "people").expect("an attribute")
        };
        let secret =
            |column| sensitive(column, SensitiveSpec::default(), "people").expect("a sensitive column");
        Table {
            rows: ROWS as usize,
            qi: qi.into_iter().map(attribute).collect(),
            sensitive: secrets.into_iter().map(secret).collect(),
            verbatim: Vec::new(),
            lacking: Vec::new(),
            people: None,
        }
    }

    /// A place for a release.
    pub(crate) fn output(&self) -> PathBuf {
        self.folder.path().join("release.csv")
    }
}
