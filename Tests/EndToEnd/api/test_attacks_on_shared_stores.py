"""Attacks of the other suites on a server whose data is in PostgreSQL and whose files are in an object store."""

import os

import pytest

# Tests of the other suites whose requests reach the database or the object store.
from api.test_attacks import test_rejects_forged_tokens, test_rejects_path_traversal, test_rejects_request_smuggling  # noqa: F401
from api.test_capture_limits import test_check_token_sends_few_captures  # noqa: F401
from api.test_connections import (  # noqa: F401
    test_aborted_upload_is_no_server_error, test_limits_memory_of_concurrent_bodies, test_rejects_concurrent_bodies_of_one_token_before_reading_them,
    test_slow_readers_of_stored_files_use_no_memory)
from api.test_deletion_and_quotas import test_storage_quota_per_key_and_per_check  # noqa: F401
from api.test_hostile_images import (  # noqa: F401
    test_compressed_texts_in_a_png_are_not_inflated, test_serves_others_during_compressed_text_attacks)
from api.test_hostile_scan_files import (  # noqa: F401
    test_archive_entries_do_not_leave_their_folder, test_archives_that_expand_are_rejected_without_using_memory)
from api.test_message_attempts import (  # noqa: F401
    test_one_address_cannot_use_up_everybodys_attempts, test_waits_between_attempts_grow)
from support import captures
from support.object_store import BUCKET, environment_with
from support.server import Server

pytestmark = [pytest.mark.postgres, pytest.mark.s3, pytest.mark.without_models]


@pytest.fixture(scope="module", autouse=True)
def shared_stores(postgres, s3, server_defaults):
    """Lets every server of this module keep its data in PostgreSQL and its files in the object store."""
    def address(server):
        return f"s3://{BUCKET}/{os.path.basename(server.data)}?endpoint=http://127.0.0.1:{s3.port}"

    def environment(server):
        return environment_with(MIEN_STORE=postgres.url_for(server.data), MIEN_BLOBS=address(server))

    def files(server):
        begin = os.path.basename(server.data) + "/live/"
        return sorted(key for key in s3.keys(BUCKET)["keys"] if key.startswith(begin) and not key.endswith("mien-installation"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Server, "environment", property(environment))
        patch.setattr(captures, "files", files)
        patch.setattr(captures, "rows", lambda server: postgres.count(server.data, "capture"))
        yield
