//! The checker and the plain data it reads must not use the library, nor anything that does.

use std::path::Path;

/// Modules of this crate that the checker may use.
const ALLOWED: [&str; 3] = ["case", "checker", "random"];

#[test]
fn the_checker_shares_no_code_with_the_library() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files: Vec<_> = ["case.rs", "random.rs"].iter().map(|name| src.join(name)).collect();
    let checker = std::fs::read_dir(src.join("checker")).expect("the checker is there");
    files.extend(checker.map(|entry| entry.expect("readable").path()));
    assert!(files.len() > 8, "{files:?}");
    for file in files {
        let text = std::fs::read_to_string(&file).expect("readable");
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            assert!(!line.contains("kohort"), "{}: {line}", file.display());
            for used in line.split("crate::").skip(1) {
                let module: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                assert!(ALLOWED.contains(&module.as_str()), "{}: {line}", file.display());
            }
        }
    }
}
