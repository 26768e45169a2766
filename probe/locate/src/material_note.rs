//! Materials that are named in another lettering.

use std::ffi::OsString;

use makruk_tables::material::Material;

/// A sentence for each argument that names a material in letters of chess or of another lettering, such as `KQvK`,
/// which is KMvK.
pub fn material_notes(arguments: impl Iterator<Item = OsString>) -> Vec<String> {
    let note = |argument: OsString| {
        let name = argument.into_string().ok()?;
        let material: Material = name.parse().ok()?;
        name.contains(['B', 'E', 'F', 'Q', 'b', 'e', 'f', 'q'])
            .then(|| format!("note: {name} is {material}: B and E are read as the khon (S), Q and F as the met (M)"))
    };
    arguments.filter_map(note).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_other_letters_are_noted() {
        let notes = |names: &[&str]| material_notes(names.iter().map(OsString::from));
        let [note] = &notes(&["build", "--men", "KRvK", "KQvK", "KMvKS", "8/8/8 w"])[..] else { panic!("one note") };
        assert!(note.starts_with("note: KQvK is KMvK: "), "{note}");
    }
}
