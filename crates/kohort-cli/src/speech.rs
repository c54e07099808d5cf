//! How the command line spells options: what a message names can be typed as it is read.

use kohort::error::Speech;

/// `--suppress 5%`, `-k 10`, `-o release.csv`; tables that are not options stand for themselves.
pub(crate) struct CommandLine;

impl Speech for CommandLine {
    fn option(&self, name: &str, value: Option<&str>) -> String {
        let flag = match name {
            "input" => return value.unwrap_or("DATA").to_owned(),
            "release" => return value.unwrap_or("RELEASE").to_owned(),
            "output" => "-o".to_owned(),
            letter if letter.len() == 1 => format!("-{letter}"),
            word => format!("--{word}"),
        };
        let quoted = |value: &str| {
            // What a shell would take apart.
            if value.contains(char::is_whitespace) { format!("\"{value}\"") } else { value.to_owned() }
        };
        value.map_or_else(|| flag.clone(), |value| format!("{flag} {}", quoted(value)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;
    use kohort::demand::MODELS;
    use kohort::error::OPTIONS;

    use super::*;

    /// Everything that can be typed after `kohort anonymize`, `kohort append`, `kohort verify` and `kohort init`.
    fn spellings() -> BTreeSet<String> {
        let command = crate::Cli::command();
        let jobs = command
            .get_subcommands()
            .filter(|c| ["anonymize", "verify", "append", "init"].contains(&c.get_name()));
        let spelled = |arg: &clap::Arg| {
            let long = arg.get_long().map(|word| format!("--{word}"));
            let short = arg.get_short().map(|letter| format!("-{letter}"));
            let names = arg.get_value_names().unwrap_or_default().iter().map(ToString::to_string);
            let table = names.filter(|_| arg.is_positional()).collect::<Vec<_>>();
            long.into_iter().chain(short).chain(table).collect::<Vec<_>>()
        };
        jobs.flat_map(|job| job.get_arguments().flat_map(spelled).collect::<Vec<_>>()).collect()
    }

    #[test]
    fn every_option_a_message_names_can_be_typed() {
        let typed = spellings();
        for name in OPTIONS.iter().copied().chain(MODELS.iter().map(|model| model.option)) {
            let spelled = CommandLine.option(name, None);
            assert!(typed.contains(&spelled), "{name} is spelled {spelled}, which is not among {typed:?}");
        }
    }

    #[test]
    fn values_follow_their_flags() {
        let spelled = |name, value| CommandLine.option(name, Some(value));
        assert_eq!(spelled("suppress", "5%"), "--suppress 5%");
        assert_eq!(spelled("k", "10"), "-k 10");
        assert_eq!(spelled("output", "release.csv"), "-o release.csv");
        assert_eq!(spelled("snap", "age=5"), "--snap age=5");
        assert_eq!(spelled("type", "birth date=date"), "--type \"birth date=date\"");
        assert_eq!(spelled("release", "-"), "-");
        assert_eq!(CommandLine.option("p", None), "-p");
    }
}
