//! `kohort completions` and `kohort man`: what shells and manual readers are given, made from the commands themselves.

use std::io::Write as _;
use std::path::PathBuf;

use clap::{Command, CommandFactory, ValueEnum};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use kohort::output::{write_error, write_whole};
use kohort::{Error, Result};

use crate::exit::ExitCode;
use crate::terminal::say;

/// What `kohort completions` can be asked.
#[derive(Debug, clap::Args)]
#[command(after_help = HOW)]
pub(crate) struct Args {
    /// Which shell
    shell: Known,
}

const HOW: &str = "bash: kohort completions bash > ~/.local/share/bash-completion/completions/kohort
zsh:  kohort completions zsh > FOLDER/_kohort, where FOLDER is in $fpath
fish: kohort completions fish > ~/.config/fish/completions/kohort.fish";

/// The shells that are tested.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Known {
    Bash,
    Zsh,
    Fish,
}

/// Writes the script to standard output.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let shell = match args.shell {
        Known::Bash => Shell::Bash,
        Known::Zsh => Shell::Zsh,
        Known::Fish => Shell::Fish,
    };
    let mut script = Vec::new();
    generate(shell, &mut crate::Cli::command(), "kohort", &mut script);
    say(&text(script)?)?;
    Ok(ExitCode::SUCCESS)
}

/// What `kohort man` can be asked.
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// The command whose page to print, such as init or hierarchy build [default: kohort itself]
    #[arg(value_name = "COMMAND", conflicts_with = "folder")]
    command: Vec<String>,
    /// Write the pages of all commands into this folder, kohort.1 first; otherwise the first goes to standard output
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Writes manual pages.
pub(crate) fn man(args: &ManArgs) -> Result<ExitCode> {
    let mut command = crate::Cli::command();
    command.build();
    let Some(folder) = &args.folder else {
        say(&page(&below(&command, &args.command)?)?)?;
        return Ok(ExitCode::SUCCESS);
    };
    std::fs::create_dir_all(folder).map_err(|e| write_error(&e, folder))?;
    let pages = pages(&command, "kohort".into());
    for (name, command) in &pages {
        write_whole(&folder.join(format!("{name}.1")), page(command)?.as_bytes())?;
    }
    say(&format!("wrote {} pages to {}\n", pages.len(), folder.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The command that these words name, with its name as its page has it.
fn below(command: &Command, words: &[String]) -> Result<Command> {
    let mut pages = pages(command, "kohort".into());
    let name =
        std::iter::once("kohort").chain(words.iter().map(String::as_str)).collect::<Vec<_>>().join("-");
    match pages.iter().position(|(page, _)| *page == name) {
        Some(at) => Ok(pages.swap_remove(at).1),
        None => Err(Error::job(format!("there is no command '{}'", words.join(" ")))
            .at("kohort man")
            .help("`kohort --help` lists the commands")),
    }
}

/// A command and all below it, with their names as pages have them: `kohort-hierarchy-build`.
fn pages(command: &Command, name: String) -> Vec<(String, Command)> {
    let below = command.get_subcommands().filter(|below| below.get_name() != "help" && !below.is_hide_set());
    let below: Vec<_> = below.flat_map(|c| pages(c, format!("{name}-{}", c.get_name()))).collect();
    std::iter::once((name, command.clone())).chain(below).collect()
}

fn page(command: &Command) -> Result<String> {
    let mut page = Vec::new();
    let written = Man::new(command.clone()).manual("Kohort").render(&mut page).and_then(|()| page.flush());
    written.map_err(|e| Error::internal(format!("a manual page cannot be made: {e}")))?;
    text(page)
}

fn text(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|e| Error::internal(format!("what was made is no text: {e}")))
}
