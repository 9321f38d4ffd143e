# Run once by the Postgres of docker-compose.yml, when its volume is new: makes the role that workers connect as, which owns Longhaul's database and
# nothing more.
psql -v ON_ERROR_STOP=1 --username postgres --set password="$LONGHAUL_PASSWORD" <<'SQL'
create role longhaul login password :'password';
create database longhaul owner longhaul;
revoke connect on database postgres, template1 from public;
SQL
