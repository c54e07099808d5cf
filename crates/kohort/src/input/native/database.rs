//! A query of a SQLite database. It is opened for reading alone, and nothing but one statement that reads is taken.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read as _, copy};
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Statement};

use super::cells::{Cell, Rows, See, digits};
use crate::error::{Error, Place, Result, marked};
use crate::input::{Scratch, no_scratch};

/// What a query gives.
pub(super) struct Database {
    connection: Connection,
    query: String,
    shown: String,
    names: Vec<String>,
    _copy: Option<Scratch>,
}

impl Database {
    /// Opens the database; without a query, its only table is asked for.
    pub(super) fn open(path: &Path, query: Option<&str>, shown: &str) -> Result<Self> {
        let (place, copy) = named(path)?;
        check_length(&place, shown)?;
        let connection = connect(&place).map_err(|e| unreadable(&e, shown))?;
        let query = match query {
            Some(query) => query.to_owned(),
            None => only_table(&connection, shown)?,
        };
        let names = {
            let statement = reading(&connection, &query, shown)?;
            statement.column_names().map(str::to_owned).collect()
        };
        Ok(Self { connection, query, shown: shown.into(), names, _copy: copy })
    }
}

impl Rows for Database {
    fn each(&mut self, see: &mut See<'_>) -> Result<()> {
        let cannot = |e: rusqlite::Error| unreadable(&e, &self.shown);
        let mut statement = reading(&self.connection, &self.query, &self.shown)?;
        let mut rows = statement.raw_query();
        let mut number = 0u64;
        while let Some(row) = rows.next().map_err(cannot)? {
            number += 1;
            let cell = |at: usize| {
                let value = row.get_ref(at).map_err(cannot)?;
                cell(value).map_err(|what| {
                    let place = Place::default().in_file(&self.shown).in_column(&self.names[at]);
                    Error::input(what).at(place.and(format!("row {number} of the query"))).help(
                        "leave the column out of ‹query›, or make text of it there, for example with hex()",
                    )
                })
            };
            let cells = (0..self.names.len()).map(cell).collect::<Result<Vec<_>>>()?;
            see(&cells)?;
        }
        Ok(())
    }

    fn names(&self) -> Vec<String> {
        self.names.clone()
    }
}

fn cell(value: ValueRef<'_>) -> std::result::Result<Cell<'_>, &'static str> {
    Ok(match value {
        ValueRef::Null => Cell::Nothing,
        ValueRef::Integer(number) => Cell::Number(number.to_string().into()),
        ValueRef::Real(number) => Cell::Number(digits(number).into()),
        ValueRef::Text(bytes) => {
            Cell::Text(std::str::from_utf8(bytes).map_err(|_| "a text is not UTF-8")?.into())
        }
        ValueRef::Blob(_) => return Err("a value is bytes (BLOB), expected text or a number"),
    })
}

/// The library opens files by their names, and what came through a pipe has none: it gets one as long as it is read.
fn named(path: &Path) -> Result<(PathBuf, Option<Scratch>)> {
    if !path.starts_with("/proc/self/fd") {
        return Ok((std::path::absolute(path).unwrap_or_else(|_| path.to_owned()), None));
    }
    let scratch = Scratch::with_a_name()?;
    let copied = File::open(path).and_then(|mut from| copy(&mut from, &mut scratch.writer()?));
    copied.map_err(|e| no_scratch(&e))?;
    Ok((scratch.path().to_owned(), Some(scratch)))
}

/// Refuses a file whose end is missing. The library reads zeros there.
fn check_length(path: &Path, shown: &str) -> Result<()> {
    let mut head = [0u8; 100];
    let read = File::open(path).and_then(|mut file| {
        file.read_exact(&mut head)?;
        Ok(file.metadata()?.len())
    });
    let page = match u64::from(u16::from_be_bytes([head[16], head[17]])) {
        1 => 1 << 16,
        bytes => bytes,
    };
    match read {
        Ok(length) if page > 0 && length % page == 0 => Ok(()),
        _ => Err(Error::input("the SQLite database is damaged: its end is missing")
            .in_file(shown)
            .help("copy it again from where it was made")),
    }
}

/// Opens it such that nothing is written, neither to it nor beside it.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let beside = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        Path::new(&name).metadata().is_ok_and(|m| m.len() > 0)
    };
    // With changes that are not in the file yet, the library must look at them, too.
    let alone = if beside("-wal") || beside("-journal") { "" } else { "?immutable=1" };
    let mut uri = String::from("file:");
    for &byte in path.as_os_str().as_encoded_bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
        let _ = if plain { write!(uri, "{}", char::from(byte)) } else { write!(uri, "%{byte:02X}") };
    }
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(uri + alone, flags)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // All readings see the same rows.
    connection.execute_batch("BEGIN")?;
    Ok(connection)
}

/// The query as one statement that changes nothing.
fn reading<'c>(connection: &'c Connection, query: &str, shown: &str) -> Result<Statement<'c>> {
    let refused = |what: String| {
        Error::job(what)
            .in_file(shown)
            .option("query")
            .help("ask with one statement that reads, such as ‹query=select * from people›")
    };
    let statement = connection.prepare(query).map_err(|e| match e {
        rusqlite::Error::MultipleStatement => refused("the query is more than one statement".into()),
        other => refused(format!("the query cannot be run: {}", said(&other))),
    })?;
    let first: String = query.trim_start().chars().take_while(char::is_ascii_alphabetic).collect();
    let reads = ["select", "with", "values"].contains(&first.to_ascii_lowercase().as_str());
    if !reads || !statement.readonly() || statement.column_count() == 0 || statement.is_explain() != 0 {
        return Err(refused("the query is not one that reads".into()));
    }
    if statement.parameter_count() > 0 {
        return Err(refused("the query has parameters, and nobody gives them values".into()));
    }
    Ok(statement)
}

/// What asks for the only table.
fn only_table(connection: &Connection, shown: &str) -> Result<String> {
    let all = || -> rusqlite::Result<Vec<String>> {
        let mut statement = connection.prepare(
            "select name from sqlite_schema where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\' order by name",
        )?;
        let names = statement.query_map([], |row| row.get(0))?;
        names.collect()
    };
    let names = all().map_err(|e| unreadable(&e, shown))?;
    let ask = |name: &String| format!("select * from \"{}\"", name.replace('"', "\"\""));
    // In a message without quotes, which a shell would take away, where that can be.
    let is_plain = |name: &String| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let shown_as = |name: &String| if is_plain(name) { format!("select * from {name}") } else { ask(name) };
    match names.as_slice() {
        [only] => Ok(ask(only)),
        [] => Err(Error::input("the database has no table")
            .in_file(shown)
            .help("check that it is the right file")),
        [first, ..] => Err(Error::input(format!("the database has {} tables", names.len()))
            .in_file(shown)
            .option("query")
            .help(format!(
                "say what to read, such as {}; they are: {}",
                marked("query", shown_as(first)),
                names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ")
            ))),
    }
}

fn unreadable(e: &rusqlite::Error, shown: &str) -> Error {
    Error::input(format!("the SQLite database cannot be read: {}", said(e)))
        .in_file(shown)
        .help("check it with: sqlite3 FILE 'pragma integrity_check'; nothing else may write to it meanwhile")
}

/// SQLite's own words, without its number for them.
fn said(e: &rusqlite::Error) -> String {
    match e {
        rusqlite::Error::SqliteFailure(_, Some(words)) => words.clone(),
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(sql: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        Connection::open(folder.path().join("a b?#%.db")).unwrap().execute_batch(sql).unwrap();
        folder
    }

    fn read(folder: &tempfile::TempDir, query: Option<&str>) -> std::result::Result<Vec<String>, String> {
        let mut database =
            Database::open(&folder.path().join("a b?#%.db"), query, "t.db").map_err(|e| e.to_string())?;
        let mut out = vec![database.names().join(" ")];
        database
            .each(&mut |row| {
                out.push(format!("{row:?}"));
                Ok(())
            })
            .map_err(|e| e.to_string())?;
        Ok(out)
    }

    const PEOPLE: &str = "create table people (name text, age integer, height real);
        insert into people values ('Ada', 34, 1.7), (null, 9007199254740993, 2.0), ('', null, null);";

    #[test]
    fn the_only_table_is_read_with_nothing_and_empty_told_apart() {
        let folder = database(PEOPLE);
        let read = read(&folder, None).unwrap();
        assert_eq!(read[0], "name age height");
        assert_eq!(read[1], "[Text(\"Ada\"), Number(\"34\"), Number(\"1.7\")]");
        assert_eq!(read[2], "[Nothing, Number(\"9007199254740993\"), Number(\"2.0\")]");
        assert_eq!(read[3], "[Text(\"\"), Nothing, Nothing]");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was made beside it");
    }

    #[test]
    fn only_one_statement_that_reads_is_run() {
        let folder = database(PEOPLE);
        let refused = |query: &str| read(&folder, Some(query)).unwrap_err();
        for query in [
            "delete from people",
            "insert into people values (1, 2, 3) returning name",
            "drop table people",
            "update people set age = 1",
            "create table x (a)",
            "pragma table_info(people)",
            "pragma journal_mode = wal",
            "attach 'other.db' as other",
            "vacuum into 'other.db'",
            "begin",
            "explain select 1",
            "with x as (select 1) delete from people",
            "select * from people where age = ?",
            "",
            "-- nothing",
        ] {
            assert!(refused(query).contains("query"), "{query}");
        }
        assert!(refused("select 1; select 2").contains("more than one statement"));
        assert!(refused("select * from nowhere").contains("nowhere"));
        assert_eq!(
            read(&folder, Some(" select count(*) as n from people ; ")).unwrap()[1],
            "[Number(\"3\")]"
        );
        assert_eq!(read(&folder, None).unwrap().len(), 4);
    }

    #[test]
    fn several_tables_are_listed_and_bytes_refused() {
        let folder =
            database("create table b (x); create table \"a\"\"b\" (x); create view c as select 1 as one;");
        let listed = read(&folder, None).unwrap_err();
        assert!(listed.contains("3 tables") && listed.contains("'b', 'c'"), "{listed}");
        let folder = database("create table t (x); insert into t values (1), (x'00ff');");
        let refused = read(&folder, None).unwrap_err();
        assert!(refused.contains("column 'x'") && refused.contains("row 2"), "{refused}");
        assert!(read(&database("select 1"), None).is_err());
    }

    #[test]
    fn damaged_databases_are_refused() {
        let folder = database(PEOPLE);
        let path = folder.path().join("a b?#%.db");
        let bytes = std::fs::read(&path).unwrap();
        for end in [16, 100, 4095, 4096, 5000] {
            std::fs::write(&path, &bytes[..end.min(bytes.len() - 1)]).unwrap();
            assert!(read(&folder, None).is_err(), "{end}");
        }
    }
}
