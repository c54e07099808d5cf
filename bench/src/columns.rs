//! The columns of the census-like table that are like those of Adult.

pub(crate) const CENSUS: [&str; 8] = [
    "age",
    "sex",
    "ethnic_group",
    "marital_status",
    "education",
    "birth_country",
    "work_class",
    "occupation",
];
pub(crate) const CENSUS_SECRET: &str = "health_condition";
