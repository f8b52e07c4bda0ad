// Holds a description of the topics to the AsyncAPI project's own parser and its rules: fails with each
// error and each warning. What it merely suggests, as a later version of AsyncAPI, is printed.

import { readFileSync } from "node:fs";
import { argv, exit } from "node:process";

import { Parser } from "@asyncapi/parser";

const WARNING = 1; // severities: 0 error, 1 warning, 2 information, 3 hint
const [, , file] = argv;

const { document, diagnostics } = await new Parser().parse(readFileSync(file, "utf8"));
for (const { severity, code, path, message } of diagnostics) {
  console.log(`${file}: ${severity <= WARNING ? "wrong" : "note"}: ${path.join("/")}: ${message} (${code})`);
}
const channels = document?.allChannels().length ?? 0;
if (!channels || diagnostics.some(({ severity }) => severity <= WARNING)) exit(1);
console.log(`${file}: ${channels} channels, ${document.allMessages().length} messages: sound`);
