-- What a marketplace says of our keys, and what it says at all when it cannot be read, is for administrators. Everybody
-- else reads this instead.

ALTER TABLE notices ADD COLUMN for_users text;
ALTER TABLE notices ADD CONSTRAINT for_users_filled CHECK (char_length(btrim(for_users)) between 1 and 2000);
