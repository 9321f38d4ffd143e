/**
 * The public package registries that the policy `packages` reaches, by ecosystem. Hosts that also serve what anybody uploads outside of packages, such as
 * GitHub's, are not among them.
 */
export const registries = {
  npm: ['registry.npmjs.org', 'registry.yarnpkg.com', 'registry.npmjs.com'],
  PyPI: ['pypi.org', 'files.pythonhosted.org'],
  'crates.io': ['crates.io', 'index.crates.io', 'static.crates.io'],
  Go: ['proxy.golang.org', 'sum.golang.org'],
  Maven: [
    'repo.maven.apache.org',
    'repo1.maven.org',
    'plugins.gradle.org',
    'plugins-artifacts.gradle.org',
    'services.gradle.org',
    'downloads.gradle.org',
  ],
  RubyGems: ['rubygems.org', 'index.rubygems.org', 'fastly.rubygems.org'],
  Packagist: ['packagist.org', 'repo.packagist.org'],
  NuGet: ['api.nuget.org', 'www.nuget.org', 'globalcdn.nuget.org'],
  Debian: ['deb.debian.org', 'security.debian.org'],
  Ubuntu: ['archive.ubuntu.com', 'security.ubuntu.com', 'ports.ubuntu.com'],
  Alpine: ['dl-cdn.alpinelinux.org'],
} satisfies Record<string, string[]>;
