"""Writes a table in every format that Kohort reads, by the programs that people use for it. Run by scripts/try-formats.

    python write_formats.py TABLE.csv FOLDER

Prints a list of [name of the copy, flags that must be said to read it] as JSON.
"""
import decimal
import gzip
import json
import pathlib
import re
import sqlite3
import sys
import warnings

warnings.filterwarnings("ignore")
import pandas
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import zstandard

source, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
as_text = pandas.read_csv(source, dtype=str, keep_default_na=False)
typed = pandas.read_csv(source)
copies = []


def copy(name, content, *flags):
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    copies.append([name, list(flags)])


def written(name, *flags):
    copies.append([name, list(flags)])


def can_be(encoding, text):
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return None


DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)$")
DECIMAL = re.compile(r"-?\d*\.\d+$")


def with_dates(spell):
    """The table with its days written otherwise, or none where it has no column of days."""
    found, other = False, as_text.copy()
    for column in other:
        values = other[column][other[column] != ""]
        if len(values) and values.map(lambda value: bool(DAY.match(value))).all():
            found = True
            other[column] = other[column].map(lambda value: spell(*DAY.match(value).groups()) if value else value)
    return other if found else None


plain = as_text.to_csv(index=False)
copy("comma.csv", plain)
for separator, name in [(";", "semicolon.csv"), ("\t", "tab.tsv"), ("|", "bar.psv")]:
    copy(name, as_text.to_csv(index=False, sep=separator))
copy("sep-line.csv", "sep=;\r\n" + as_text.to_csv(index=False, sep=";", lineterminator="\r\n"))
copy("mark.csv", "\ufeff" + plain)
copy("utf-16.csv", plain.encode("utf-16"))
if not plain.isascii() and (western := can_be("cp1252", plain)):
    copy("windows-1252.csv", western, "--encoding", "windows-1252")
copy("comments.csv", "# fetched by a script\n# and written anew\n" + plain)
copy("gzip.csv.gz", gzip.compress(plain.encode()))
copy("zstd.csv.zst", zstandard.compress(plain.encode()))
comma = as_text.map(lambda value: value.replace(".", ",") if DECIMAL.match(value) else value)
if not comma.equals(as_text):
    copy("decimal-comma.csv", comma.to_csv(index=False, sep=";"))
for name, spell in [
    ("german-days.csv", lambda y, m, d: f"{d}.{m}.{y}"),
    ("american-days.csv", lambda y, m, d: f"{m}/{d}/{y}"),
    ("named-months.csv", lambda y, m, d: pandas.Timestamp(int(y), int(m), int(d)).strftime("%d-%b-%Y")),
    ("times.csv", lambda y, m, d: f"{y}-{m}-{d} 08:{d}:00+02:00"),
]:
    if (other := with_dates(spell)) is not None:
        copy(name, other.to_csv(index=False, sep=";" if name.startswith("german") else ","))

lines = typed.to_json(orient="records", lines=True)
copy("lines.jsonl", lines)
copy("lines.ndjson.gz", gzip.compress(lines.encode()))
copy("list.json", typed.to_json(orient="records"))

for name, engine in [("sheet.xlsx", "openpyxl"), ("sheet.ods", "odf")]:
    # Sheets of that many cells take minutes to write.
    if typed.size <= 60_000:
        typed.to_excel(folder / name, index=False, engine=engine)
        written(name)
if typed.size <= 60_000:
    with pandas.ExcelWriter(folder / "two-sheets.xlsx") as book:
        pandas.DataFrame({"read": ["me"]}).to_excel(book, sheet_name="About", index=False)
        typed.to_excel(book, sheet_name="People", index=False)
    written("two-sheets.xlsx", "--sheet", "People")

(folder / "base.sqlite").unlink(missing_ok=True)
with sqlite3.connect(folder / "base.sqlite") as base:
    typed.to_sql("people", base, index=False)
    pandas.DataFrame({"x": [1]}).to_sql("other", base, index=False)
base.close()
written("base.sqlite", "--query", "select * from people")


def rich(frame):
    """Types that only columnar formats have: instants, days, dictionaries, decimals, truth values."""
    table = {}
    for at, column in enumerate(frame):
        values = frame[column]
        texts = as_text[column]
        there = texts[texts != ""]
        if len(there) and there.map(lambda value: bool(DAY.match(value))).all():
            days = pandas.to_datetime(texts, errors="coerce")
            kinds = [pyarrow.timestamp("us"), pyarrow.date32(), pyarrow.timestamp("ns", tz="Europe/Berlin")]
            table[column] = pyarrow.array(days, from_pandas=True).cast(pyarrow.timestamp("us")).cast(kinds[at % 3])
        elif values.dtype == object:
            table[column] = pyarrow.array(values, from_pandas=True).dictionary_encode()
        elif values.dtype == float and len(there) and there.map(lambda value: bool(DECIMAL.match(value))).all():
            table[column] = pyarrow.array([decimal.Decimal(value) if value else None for value in texts])
        elif set(values.unique()) == {0, 1}:
            table[column] = pyarrow.array(values == 1)
        else:
            table[column] = pyarrow.array(values, from_pandas=True)
    return pyarrow.table(table)


typed.to_parquet(folder / "plain.parquet", index=False)
written("plain.parquet")
pyarrow.parquet.write_table(rich(typed), folder / "rich.parquet", compression="zstd")
written("rich.parquet")
typed.to_feather(folder / "lz4.feather")
written("lz4.feather")
pyarrow.feather.write_feather(rich(typed), folder / "rich.arrow", compression="zstd")
written("rich.arrow")
print(json.dumps(copies))
