// CSV files.

/** Formats rows as CSV, with quotes where needed. @param {(string | number | null | undefined)[][]} rows */
export function csvText(rows) {
  return rows.map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}

/** @param {string | number | null | undefined} value */
function field(value) {
  let text = String(value ?? "");
  // Spreadsheets execute a text that begins like a formula. Numbers and fractions are no formulas.
  if (/^[=+\-@\t\r]/.test(text) && !/^-?\d[\d.,/]*$/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Downloads a file. @param {string} name @param {string} text @param {string} [type] */
export function save(name, text, type = "text/csv") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
