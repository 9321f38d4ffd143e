# Makes the repository that was put into /workspace/.git the workspace's again; its files stay as they are. Arguments: commit.
set -e
cd /workspace
git config core.bare false
git config user.name 'Longhaul agent'
git config user.email agent@longhaul.invalid
git update-ref refs/heads/work "$1"
git symbolic-ref HEAD refs/heads/work
git reset -q
