-- A row of each kind that version 8 of the schema in PostgreSQL brought, as that version wrote them. Never edit; a new version gets a new file.
INSERT INTO mien.sign_in_try (digest, full_ms) VALUES ('\x0505050505050505050505050505050505050505050505050505050505050505', '1795461901714');
