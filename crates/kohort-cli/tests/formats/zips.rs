//! Workbooks made by hand: a zip archive of a few XML files, nothing packed.

use std::fmt::Write as _;

/// An archive of these files, not packed.
pub(crate) fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let (mut bytes, mut list) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let mut sum = flate2::Crc::new();
        sum.update(text.as_bytes());
        let sizes =
            [sum.sum().to_le_bytes(), (text.len() as u32).to_le_bytes(), (text.len() as u32).to_le_bytes()];
        let common = [
            &[20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0][..],
            &sizes.concat(),
            &(name.len() as u16).to_le_bytes(),
            &[0, 0],
        ]
        .concat();
        list.extend(
            [
                &b"PK\x01\x02\x14\0"[..],
                &common,
                &[0; 10],
                &(bytes.len() as u32).to_le_bytes(),
                name.as_bytes(),
            ]
            .concat(),
        );
        bytes.extend([&b"PK\x03\x04"[..], &common, name.as_bytes(), text.as_bytes()].concat());
    }
    let count = (files.len() as u16).to_le_bytes();
    let end = [
        &b"PK\x05\x06\0\0\0\0"[..],
        &count,
        &count,
        &(list.len() as u32).to_le_bytes(),
        &(bytes.len() as u32).to_le_bytes(),
        &[0, 0],
    ];
    let end = end.concat();
    [bytes, list, end].concat()
}

/// What a cell of a workbook holds.
#[derive(Clone)]
pub(crate) enum Cell {
    Empty,
    Text(String),
    Number(String),
    Truth(bool),
    /// Days since the end of 1899, shown as a date.
    Date(f64),
    Error(&'static str),
}

impl Cell {
    /// As a spreadsheet takes what is typed: digits are a number.
    pub(crate) fn typed(text: &str) -> Self {
        match text.parse::<i64>() {
            _ if text.is_empty() => Self::Empty,
            Ok(number) if number.to_string() == text => Self::Number(text.into()),
            _ => Self::Text(text.into()),
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// An Excel workbook of these sheets, each with its name, its lines, and more XML behind them.
pub(crate) fn xlsx(sheets: &[(&str, &[Vec<Cell>], &str)]) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006";
    let (mut listed, mut related, mut files) = (String::new(), String::new(), Vec::new());
    for (i, (name, lines, more)) in sheets.iter().enumerate() {
        let id = i + 1;
        let _ = write!(listed, r#"<sheet name="{}" sheetId="{id}" r:id="rId{id}"/>"#, escaped(name));
        let _ = write!(
            related,
            r#"<Relationship Id="rId{id}" Type="{office}/worksheet" Target="worksheets/sheet{id}.xml"/>"#
        );
        files.push((
            format!("xl/worksheets/sheet{id}.xml"),
            format!(
                r#"<worksheet xmlns="{main}"><sheetData>{}</sheetData>{more}</worksheet>"#,
                xlsx_lines(lines)
            ),
        ));
    }
    let _ = write!(related, r#"<Relationship Id="rId99" Type="{office}/styles" Target="styles.xml"/>"#);
    let types = format!(
        r#"<Types xmlns="{package}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>"#
    );
    let root = format!(
        r#"<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
    );
    let book = format!(r#"<workbook xmlns="{main}" xmlns:r="{office}"><sheets>{listed}</sheets></workbook>"#);
    let relations = format!(r#"<Relationships xmlns="{package}/relationships">{related}</Relationships>"#);
    let styles = format!(
        r#"<styleSheet xmlns="{main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>"#
    );
    files.extend([
        ("[Content_Types].xml".into(), types),
        ("_rels/.rels".into(), root),
        ("xl/workbook.xml".into(), book),
        ("xl/_rels/workbook.xml.rels".into(), relations),
        ("xl/styles.xml".into(), styles),
    ]);
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    zip(&files)
}

fn xlsx_lines(lines: &[Vec<Cell>]) -> String {
    let mut out = String::new();
    for (row, line) in lines.iter().enumerate() {
        let _ = write!(out, r#"<row r="{}">"#, row + 1);
        for (column, cell) in line.iter().enumerate() {
            let at = format!("{}{}", char::from(b'A' + column as u8), row + 1);
            let _ = match cell {
                Cell::Empty => Ok(()),
                Cell::Text(text) => write!(
                    out,
                    r#"<c r="{at}" t="inlineStr"><is><t xml:space="preserve">{}</t></is></c>"#,
                    escaped(text)
                ),
                Cell::Number(digits) => write!(out, r#"<c r="{at}"><v>{digits}</v></c>"#),
                Cell::Truth(value) => write!(out, r#"<c r="{at}" t="b"><v>{}</v></c>"#, u8::from(*value)),
                Cell::Date(days) => write!(out, r#"<c r="{at}" s="1"><v>{days}</v></c>"#),
                Cell::Error(error) => write!(out, r#"<c r="{at}" t="e"><v>{error}</v></c>"#),
            };
        }
        out.push_str("</row>");
    }
    out
}

/// An OpenDocument spreadsheet of one sheet, every cell a text or a number.
pub(crate) fn ods(lines: &[Vec<Cell>]) -> Vec<u8> {
    let kind = "application/vnd.oasis.opendocument.spreadsheet";
    let name = "urn:oasis:names:tc:opendocument:xmlns";
    let mut rows = String::new();
    for line in lines {
        rows.push_str("<table:table-row>");
        for cell in line {
            let _ = match cell {
                Cell::Text(text) => {
                    let parts: Vec<String> =
                        text.split('\n').map(|part| format!("<text:p>{}</text:p>", escaped(part))).collect();
                    write!(
                        rows,
                        r#"<table:table-cell office:value-type="string">{}</table:table-cell>"#,
                        parts.concat()
                    )
                }
                Cell::Number(digits) => write!(
                    rows,
                    r#"<table:table-cell office:value-type="float" office:value="{digits}"><text:p>{digits}</text:p></table:table-cell>"#
                ),
                _ => write!(rows, "<table:table-cell/>"),
            };
        }
        rows.push_str("</table:table-row>");
    }
    let content = format!(
        r#"<office:document-content xmlns:office="{name}:office:1.0" xmlns:table="{name}:table:1.0" xmlns:text="{name}:text:1.0"><office:body><office:spreadsheet><table:table table:name="People">{rows}</table:table></office:spreadsheet></office:body></office:document-content>"#
    );
    let manifest = format!(
        r#"<manifest:manifest xmlns:manifest="{name}:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/></manifest:manifest>"#
    );
    zip(&[("mimetype", kind), ("META-INF/manifest.xml", &manifest), ("content.xml", &content)])
}
