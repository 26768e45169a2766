//! Serialization as text, with the feature `serde`.

use crate::TableId;
use crate::material::Material;
use crate::value::Metric;

makruk_rules::deserialize_text! {
    Material: "a material such as KRRvKR",
    Metric: "dtm, dtz or category",
    TableId: "a table such as KRRvKR.dtm",
}

makruk_rules::serialize_text!(Material, Metric, TableId);
