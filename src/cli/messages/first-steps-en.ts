/** Prompts that a newcomer may send as they stand. */
export const firstSteps = {
  title: "Three things to try:",
  inEmptyFolder: [
    "write a small web page with a clock into index.html",
    "set up a small Python project with one test",
    "what can you do here, and what do you ask me first?",
  ],
  explain: "explain what this project does and how it is built",
  runTests: (command: string) => `run "${command}" and fix what fails`,
  writeTest: "find the code that most needs a test, and write one",
  review: "review my uncommitted changes",
  about: (file: string) => `@${file} what does this do?`,
};
