-- When a request last came through the proxy of PUBLIC_URL without the address of who sent it: the bell tells administrators.
ALTER TABLE app_settings ADD COLUMN clients_hidden_at timestamptz(3);
