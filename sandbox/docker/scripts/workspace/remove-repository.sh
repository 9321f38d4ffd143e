# Removes the workspace's repository, whatever became of it.
[ ! -d /workspace/.git ] || [ -L /workspace/.git ] || chmod -R u+rwX /workspace/.git
rm -rf /workspace/.git
