// Texts of the button for the game report.

export const report = {
  make: "Game report",
  why: "Rules, assumptions, exact figures and tests of the game as one document for printing",
  making: "The server makes the report…",
  ready: "The game report is ready.",
  open: "Open",
  download: "Download",
};
