const [major, minor] = process.versions.node.split('.').map(Number);

// Checked before any other import: an older Node would only report that some export does not exist.
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Longhaul needs Node 20.19 or newer, this is ${process.versions.node}. See https://nodejs.org/en/download.`,
  );
  process.exit(1);
}
