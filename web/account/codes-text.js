// Recovery codes as a text file.

import { words } from "../words.js";

/** Returns the codes as a text file. @param {string} name name of the account @param {string} host @param {string[]} codes */
export const codesText = (name, host, codes) => `${words.account.codes.file(name, host)}${codes.join("\n")}\n`;
