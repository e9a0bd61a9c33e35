// Reads workflow commands, taken apart, as JSON from standard input, and writes each as GitHub's own toolkit does.
import { readFileSync } from "node:fs";
import { issueCommand } from "@actions/core/lib/command.js";

for (const { command, properties, message } of JSON.parse(readFileSync(0, "utf8"))) {
  issueCommand(command, Object.fromEntries(properties), message);
}
