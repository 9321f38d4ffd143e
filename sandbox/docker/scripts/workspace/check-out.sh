# Makes the repository that was put into /workspace/.git a workspace at a commit, and notes that it is whole. Arguments: commit.
set -e
cd /workspace
git config core.bare false
git config user.name 'Longhaul agent'
git config user.email agent@longhaul.invalid
git checkout -q -f -B work "$1" --
printf '%s\n' "$1" >"$state/loaded.new"
mv "$state/loaded.new" "$state/loaded"
