//! How a release and the certificate that came with it agree.

use serde::Serialize;

/// Whether something is as the certificate says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Agreement {
    /// It is.
    Same,
    /// It is not; the shortfalls say what differs.
    Differs,
    /// It could not be compared; what was not checked says why.
    NotChecked,
}

impl Agreement {
    /// Of things that were compared.
    pub fn of(is_same: bool) -> Self {
        if is_same { Self::Same } else { Self::Differs }
    }
}

/// A certificate that a release was held against.
#[derive(Debug, Clone, Serialize)]
pub struct CertificateCheck {
    /// Where it lies.
    pub file: String,
    /// Whether it belongs to these bytes.
    pub sha256: Agreement,
    /// Whether the release has the columns it names, and no others.
    pub columns: Agreement,
    /// Whether the counts and figures it states are those of the release.
    pub figures: Agreement,
    /// The demands it claims, in words; whether they are met is told where shortfalls are.
    pub claims: Vec<String>,
}

impl CertificateCheck {
    /// What was compared, each with its name.
    pub fn parts(&self) -> [(&'static str, Agreement); 3] {
        [("digest", self.sha256), ("columns", self.columns), ("figures", self.figures)]
    }
}
