// Describes requests that wait for a second operator.

import { money } from "../money.js";
import { words } from "../words.js";

/** Returns a request as a sentence. @param {import("./types.js").Approval} approval */
export function approvalText({ what, detail }) {
  const { approvals: say } = words.console;
  if (typeof detail === "string") return detail;
  if (what === "chips" && typeof detail?.cents === "number") return (detail.redeem ? say.redeem : say.issue)(money(detail.cents), detail.currency ?? "", detail.player);
  if (what === "void" && detail?.table) return say.void(detail.table, String(detail.round ?? ""));
  return JSON.stringify(detail);
}
