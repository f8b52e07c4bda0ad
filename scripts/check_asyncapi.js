// Checks a description of the topics with the AsyncAPI project's own parser and its rules. Errors and
// warnings make the check fail. Mere suggestions, such as a later version of AsyncAPI, are printed.

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
