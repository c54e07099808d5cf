//! A column on its way out: values as they were read, or codes into a short list of published labels.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, StringArray, UInt32Array};
use arrow::compute::take;
use arrow::datatypes::DataType;

use crate::error::{Error, Result};
use crate::input::texts;

/// Published labels of one column, shared by all batches.
#[derive(Debug, Clone)]
pub struct Labels {
    /// The labels as values of the column's type.
    pub values: ArrayRef,
    texts: Vec<String>,
}

impl Labels {
    /// Labels that are values of any type; null is missing.
    pub fn new(values: ArrayRef) -> Result<Self> {
        let strings = to_strings(&values)?;
        let texts = strings.as_string::<i32>().iter().map(|t| t.unwrap_or_default().to_owned()).collect();
        Ok(Self { values, texts })
    }

    /// Text labels; the empty text is missing.
    pub fn of_texts(texts: impl IntoIterator<Item = String>) -> Self {
        let texts: Vec<String> = texts.into_iter().collect();
        let values = texts.iter().map(|t| (!t.is_empty()).then_some(t.as_str())).collect::<StringArray>();
        Self { values: Arc::new(values), texts }
    }

    /// The labels as text, by code.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }
}

/// Some rows of one column.
pub enum OutColumn {
    /// Values as they were read.
    Array(ArrayRef),
    /// Codes into labels.
    Coded {
        /// Which label each row has.
        codes: Vec<u32>,
        /// What the codes stand for.
        labels: Arc<Labels>,
    },
}

impl OutColumn {
    /// Number of rows.
    #[allow(clippy::len_without_is_empty)] // nobody asks
    pub fn len(&self) -> usize {
        match self {
            Self::Array(a) => a.len(),
            Self::Coded { codes, .. } => codes.len(),
        }
    }

    /// The rows as an Arrow array.
    pub fn to_array(&self) -> Result<ArrayRef> {
        match self {
            Self::Array(a) => Ok(a.clone()),
            Self::Coded { codes, labels } => take(&labels.values, &UInt32Array::from(codes.clone()), None)
                .map_err(|e| Error::internal(e.to_string())),
        }
    }
}

/// Any array as text, the way kohort reads it.
pub(super) fn to_strings(array: &ArrayRef) -> Result<ArrayRef> {
    if array.data_type() == &DataType::Utf8 {
        return Ok(array.clone());
    }
    // The library's words may quote a value; they are not passed on.
    let cannot = |_| {
        Error::input(format!("cannot write values of type {} as text", array.data_type()))
            .help("write a .parquet or .arrow file, or convert the column before")
    };
    texts(array).map(|texts| Arc::new(texts) as ArrayRef).map_err(cannot)
}
