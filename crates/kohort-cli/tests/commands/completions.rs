//! `kohort completions` and `kohort man`.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::Desk;

/// What a shell says of a script.
fn shell(program: &str, arguments: &[&str], script: &str) -> Option<(bool, String)> {
    let spawned = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = spawned.ok()?;
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8_lossy(&said).into_owned()))
}

#[test]
fn bash_understands_its_script_and_offers_commands_and_flags() {
    let script = Desk::new().done("completions bash").text();
    let Some((is_valid, said)) = shell("bash", &["-n"], &script) else {
        eprintln!("skipped: there is no bash");
        return;
    };
    assert!(is_valid, "{said}");
    let completed = |words: &str| {
        let count = words.split(' ').count();
        let line = format!(
            "{script}\nCOMP_WORDS=({words}); COMP_CWORD={}; _kohort kohort \"${{COMP_WORDS[{}]}}\" \"${{COMP_WORDS[{}]}}\"; echo \"${{COMPREPLY[*]}}\"",
            count - 1,
            count - 1,
            count.saturating_sub(2)
        );
        let (is_good, said) = shell("bash", &[], &line).unwrap();
        assert!(is_good, "{said}");
        said.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let commands = completed("kohort h");
    assert!(commands.contains(&"hierarchy".to_owned()), "{commands:?}");
    let flags = completed("kohort hierarchy build --from");
    assert_eq!(flags, ["--from-columns"]);
    let values = completed("kohort completions z");
    assert!(values.contains(&"zsh".to_owned()), "{values:?}");
    for (words, wanted) in [
        ("kohort anonymize --algorithm mond", "mondrian"),
        ("kohort anonymize --measure i", "il"),
        ("kohort anonymize --notion k", "k"),
        ("kohort anonymize --intervals mid", "midpoint"),
        ("kohort verify --rest k", "keep"),
        ("kohort generate hos", "hospital"),
    ] {
        let values = completed(words);
        assert!(values.contains(&wanted.to_owned()), "{words}: {values:?}");
    }
}

#[test]
fn other_shells_have_scripts_too() {
    let desk = Desk::new();
    for (shell_name, mark) in [("zsh", "#compdef kohort"), ("fish", "complete -c kohort")] {
        let script = desk.done(&format!("completions {shell_name}")).text();
        for command in [mark, "anonymize", "explain", "hierarchy"] {
            assert!(script.contains(command), "{shell_name} lacks {command}");
        }
        match shell(shell_name, &["-n"], &script) {
            Some((is_valid, said)) => assert!(is_valid, "{said}"),
            None => eprintln!("skipped: there is no {shell_name}"),
        }
    }
    let unknown = desk.refused("completions tcsh");
    assert!(unknown.contains("bash, zsh, fish"), "{unknown}");
}

#[test]
fn manual_pages() {
    let desk = Desk::new();
    let page = desk.done("man").text();
    assert!(page.contains(".TH kohort 1") && page.contains("kohort\\-anonymize(1)"), "{page}");
    let page = desk.done("man hierarchy build").text();
    assert!(page.contains(".TH kohort-hierarchy-build 1"), "{page}");
    assert!(desk.refused("man anonymise").contains("there is no command 'anonymise'"));
    let ran = desk.done("man --folder pages");
    assert!(ran.text().ends_with("pages to pages\n"), "{}", ran.text());
    for name in ["kohort", "kohort-anonymize", "kohort-hierarchy-build", "kohort-ledger-show"] {
        let page = desk.read(&format!("pages/{name}.1"));
        assert!(page.contains(&format!(".TH {name} 1")), "{page}");
    }
    assert!(desk.read("pages/kohort-anonymize.1").contains("hides among at least N"));
    let desk = desk.with("file", "");
    let message = desk.refused("man --folder file");
    assert!(message.starts_with("exit code 2"), "{message}");
}
