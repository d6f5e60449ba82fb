-- Encrypted template of the face that a check's face is compared with; deleted with the verdict.
ALTER TABLE liveness_check ADD COLUMN face_reference BLOB CHECK (length(face_reference) BETWEEN 1 AND 1024);
