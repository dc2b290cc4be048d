-- The settings, and the switches of the engine: everything starts in observe.

CREATE TABLE app_settings (
  id text PRIMARY KEY DEFAULT 'default' NOT NULL,
  auto_repricing boolean DEFAULT true NOT NULL,
  check_interval integer DEFAULT 15 NOT NULL,
  notifications boolean DEFAULT true NOT NULL,
  veeqo_enabled boolean DEFAULT false NOT NULL,
  veeqo_api_key text,
  veeqo_last_sync timestamptz(3),
  walmart_enabled boolean DEFAULT true NOT NULL,
  walmart_client_id text,
  walmart_client_secret text,
  amazon_enabled boolean DEFAULT false NOT NULL,
  amazon_seller_id text,
  amazon_lwa_client_id text,
  amazon_lwa_client_secret text,
  michaels_enabled boolean DEFAULT false NOT NULL,
  michaels_api_key text,
  ebay_enabled boolean DEFAULT false NOT NULL,
  ebay_app_id text,
  ebay_cert_id text,
  etsy_enabled boolean DEFAULT false NOT NULL,
  etsy_keystring text,
  etsy_shop_name text,
  shopify_enabled boolean DEFAULT false NOT NULL,
  shopify_store_url text,
  shopify_api_key text,
  max_offer_age_minutes integer DEFAULT 1440 NOT NULL,
  max_step numeric(5, 2) DEFAULT 15 NOT NULL,
  max_drift numeric(5, 2) DEFAULT 30 NOT NULL,
  min_step numeric(10, 2) DEFAULT 0.01 NOT NULL,
  cooldown_minutes integer DEFAULT 0 NOT NULL,
  war_limit integer DEFAULT 6 NOT NULL,
  war_hold_minutes integer DEFAULT 360 NOT NULL,
  hold_minutes integer DEFAULT 1440 NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT one_row CHECK (id = 'default'),
  CONSTRAINT check_interval_range CHECK (check_interval between 1 and 2147483647),
  CONSTRAINT max_offer_age_minutes_range CHECK (max_offer_age_minutes between 1 and 2147483647),
  CONSTRAINT max_step_range CHECK (max_step between 0 and 100),
  CONSTRAINT max_drift_range CHECK (max_drift between 0 and 100),
  CONSTRAINT min_step_range CHECK (min_step between 0 and 99999999.99),
  CONSTRAINT cooldown_minutes_range CHECK (cooldown_minutes between 0 and 2147483647),
  CONSTRAINT war_limit_range CHECK (war_limit between 1 and 2147483647),
  CONSTRAINT war_hold_minutes_range CHECK (war_hold_minutes between 0 and 2147483647),
  CONSTRAINT hold_minutes_range CHECK (hold_minutes between 0 and 2147483647)
);

CREATE TABLE connector_credentials (
  holder text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT connector_credentials_holder_name_pk PRIMARY KEY (holder, name),
  CONSTRAINT holder_known CHECK (holder in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify', 'veeqo')),
  CONSTRAINT name_filled CHECK (char_length(btrim(name)) between 1 and 100)
);

CREATE TABLE engine_states (
  marketplace text PRIMARY KEY NOT NULL,
  mode text DEFAULT 'observe' NOT NULL,
  changed_at timestamptz(3) DEFAULT now() NOT NULL,
  changed_by text,
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT mode_known CHECK (mode in ('observe', 'armed'))
);

CREATE TABLE engine_switch (
  id text PRIMARY KEY DEFAULT 'default' NOT NULL,
  halted boolean DEFAULT false NOT NULL,
  changed_at timestamptz(3) DEFAULT now() NOT NULL,
  changed_by text,
  reason text,
  CONSTRAINT one_row CHECK (id = 'default')
);

INSERT INTO app_settings (id) VALUES ('default');
INSERT INTO engine_switch (id) VALUES ('default');
INSERT INTO engine_states (marketplace) VALUES ('walmart'), ('amazon'), ('michaels'), ('ebay'), ('etsy'), ('shopify');
