//! The category of a position. For Python it is an enumeration of the standard library, with names and iteration.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::definition::define;

/// The members of the class, from worst to best.
static MEMBERS: PyOnceLock<Vec<Py<PyAny>>> = PyOnceLock::new();

/// The category of a position under the count, from the side to move; ordered from worst to best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Category(prober::Category);

impl Category {
    pub(crate) const fn of(category: prober::Category) -> Category {
        Category(category)
    }

    /// `loss`, `blessed-loss`, `draw`, `cursed-win` or `win`.
    pub(crate) const fn name(self) -> &'static str {
        self.0.name()
    }

    /// The number of the category, that of syzygy's WDL: from -2 (lost) to 2 (won).
    pub(crate) const fn number(self) -> i32 {
        match self.0 {
            prober::Category::Loss => -2,
            prober::Category::BlessedLoss => -1,
            prober::Category::Draw => 0,
            prober::Category::CursedWin => 1,
            prober::Category::Win => 2,
        }
    }
}

/// Adds the class to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let class = define(module, include_str!("category.py"))?.as_any().get_item("Category")?;
    let members = class.try_iter()?.map(|member| Ok(member?.unbind())).collect::<PyResult<Vec<_>>>()?;
    let _ = MEMBERS.set(module.py(), members);
    module.add("Category", class)
}

impl<'py> IntoPyObject<'py> for Category {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let member = MEMBERS.get(py).and_then(|members| members.get((self.number() + 2) as usize));
        let member = member.ok_or_else(|| PyValueError::new_err("the module makruk_probe is not initialised"))?;
        Ok(member.bind(py).clone())
    }
}

impl<'py> IntoPyObject<'py> for &Category {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (*self).into_pyobject(py)
    }
}

impl<'py> FromPyObject<'_, 'py> for Category {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Category> {
        let number: i32 = object.getattr("value")?.extract()?;
        let found = prober::Category::ALL.into_iter().map(Category).find(|category| category.number() == number);
        found.ok_or_else(|| PyValueError::new_err(format!("{number} is not a category")))
    }
}
