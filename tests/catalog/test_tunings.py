"""What a tuning may set: settings alone, never a parameter that acts when it is written."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from pydantic import ValidationError

from pixsize.catalog.tunings import Tuning

GIVEN: dict[str, dict[str, Any]] = {
    "mgs": {"permanence": "permanent"},
    "server": {"permanence": "temporary"},
    "hfi1-server": {"permanence": "module"},
}


def refusal(parameter: str, value: str = "1", place: str = "mgs", default: str | None = None) -> str:
    """What is said against a tuning; empty where it is taken."""
    words = {
        "id": "mine", "title": "mine", "design": "lustre-me4", "printed": "none", "acts_on": ["oss"], "set_on": [place],
        "parameter": parameter, "value": value, **GIVEN[place],
    }  # fmt: skip
    if place == "server":
        words["default"] = default or value
    try:
        Tuning.model_validate(words)
    except ValidationError as error:
        return str(error.errors()[0]["msg"])
    return ""


@pytest.mark.parametrize("place", ["mgs", "server"])
@pytest.mark.parametrize(
    "name",
    [
        "force_lbug", "panic_on_lbug", "lbug_on_grant_miscount", "fail_loc", "fail_val", "fail_err", "dump_kernel", "debug",
        "debug_path", "upcall", "lnet_upcall", "lnet_drop_rate", "catastrophe", "daemon_file", "memused", "max_dirty_mb",
        "enable_stats_header", "dump_granted_max", "subsystem_debug", "nis.clear", "stats",
    ],
)  # fmt: skip
def test_of_a_node_no_name_that_acts_is_taken(name: str, place: str) -> None:
    assert "parameter: " in refusal(name, place=place)


FAMILIES = (
    "mdt", "obdfilter", "osc", "mdc", "osp", "osd-ldiskfs", "osd-zfs", "mdd", "llite", "lod", "lov", "lmv", "mgs",
)  # fmt: skip
DEVICES = ("{fsname}-MDT0000", "{fsname}-OST*", "*")


@pytest.mark.parametrize(
    "name",
    [
        "evict_client", "abort_recovery", "abort_recovery_mdt", "evict_tgt_nids", "identity_flush", "identity_upcall", "sync_count",
        "readonly", "force_sync", "sync", "degraded", "active", "no_create", "max_create_count", "create_count", "ping",
        "lfsck_layout", "lfsck_speed_limit", "changelog_mask", "changelog_gc", "changelog_users", "nosquash_nids",
        "root_squash", "hsm_control", "hsm.max_requests", "recovery_time_soft", "recovery_time_hard", "import", "state",
        "rename_stats", "enable_remote_dir", "enable_remote_dir_gid", "enable_chprojid_gid", "sync_lock_cancel",
        "sync_journal", "sync_on_cancel", "stats", "exports.clear", "track_declares_assert", "auto_scrub", "index_backup",
        "max_lmv", "conn_uuid", "ost_server_uuid", "pools.mine", "quota_slave.force_reint", "local_recovery", "dt_checksum",
        "prealloc_table", "prealloc_last_id", "*", "max_*", "check*ums",
    ],
)  # fmt: skip
def test_of_a_device_no_name_that_acts_is_taken(name: str) -> None:
    for family, device in product(FAMILIES, DEVICES):
        assert "parameter: " in refusal(f"{family}.{device}.{name}"), (family, device)


@pytest.mark.parametrize(
    "parameter",
    [
        "*.checksums", "*.*.checksums", "os*.a.checksums", "osc.checksums", "osc.a.b.checksums", "osc..checksums",
        "osc.*.*.checksums", "osc.**.checksums", "osc.a*b*c*d*e.checksums", "ldlm.namespaces.*", "ldlm.lru_size",
        "ldlm.services.*.threads_max", "ost.*.ost_io.threads_max", "nodemap.a.squash_uid", "sptlrpc.context.flush",
        "ldlm.cancel_unused_locks_before_replay", "llite.{fsname}-*.dump_page_cache", "nrs.nrs_tbf_rule",
        "lu_cache.drop_caches", "mgs.MGS.live.clear", "qmt.{fsname}-QMT0000.md-0x0.glb-usr",
    ],
)  # fmt: skip
def test_a_pattern_reaches_no_more_than_one_name(parameter: str) -> None:
    assert refusal(parameter)


@pytest.mark.parametrize(
    ("parameter", "good", "bad"),
    [
        ("timeout", "300", "0"),
        ("at_max", "0", "many"),
        ("jobid_var", "SLURM_JOB_ID", "slurm"),
        ("ldlm.namespaces.{fsname}-*.lru_size", "0", "clear"),
        ("osc.{fsname}-OST*-osc-[^M]*.checksums", "0", "2"),
        ("osc.{fsname}-OST*.checksum_type", "t10ip4K", "t10"),
        ("osc.{fsname}-OST*.max_pages_per_rpc", "16M", "16X"),
        ("mdc.{fsname}-MDT*.max_mod_rpcs_in_flight", "127", "0x7f"),
        ("llite.{fsname}-*.max_cached_mb", "4096", "clear"),
        ("llite.{fsname}-*.statahead_max", "1024", "1e3"),
        ("lod.{fsname}-MDT*.qos_threshold_rr", "17", "x"),
        ("obdfilter.{fsname}-OST*.brw_size", "16", "16_777_216"),
        ("osd-ldiskfs.{fsname}-OST*.read_cache_enable", "1", "on"),
        ("mdd.{fsname}-MDT*.atime_diff", "60", "x"),
        ("ost.OSS.ost_io.threads_max", "512", "0"),
        ("ost.OSS.ost_io.nrs_policies", "crrn", "delay"),
        ("mds.MDS.mdt_io.threads_min", "64", "x"),
        ("ldlm.services.ldlm_cbd.threads_max", "64", "x"),
    ],
)
def test_a_setting_has_values_of_its_own(parameter: str, good: str, bad: str) -> None:
    assert refusal(parameter, good) == refusal(parameter, good, "server") == ""
    assert f"value: '{bad}' is no value of " in refusal(parameter, bad)
    assert f"default: '{bad}' is no value of " in refusal(parameter, good, "server", bad)


def test_options_of_the_driver() -> None:
    assert refusal("num_sdma", "16", "hfi1-server") == refusal("cap_mask", "0x4c09a01cbba", "hfi1-server") == ""
    assert "loopback" in refusal("loopback", "1", "hfi1-server")
    assert "value: 'x' is no value of krcvqs: a whole number, or" in refusal("krcvqs", "x", "hfi1-server")


def test_a_parameter_of_powerflex_goes_to_nothing_else() -> None:
    words: dict[str, Any] = {
        "id": "mine", "title": "mine", "design": "lustre-powerflex", "printed": "none", "acts_on": ["sds"],
        "parameter": "sds_number_os_threads", "value": "12", "permanence": "permanent",
    }  # fmt: skip
    assert Tuning.model_validate(words | {"set_on": ["powerflex"]}).value == "12"
    with pytest.raises(ValidationError, match="no setting that a tuning makes there"):
        Tuning.model_validate(words | {"set_on": ["mgs", "powerflex"]})


def test_what_is_refused_is_told_what_is_taken() -> None:
    assert "at_min, " in refusal("force_lbug")
    assert "there: job_cleanup_interval" in refusal("mdt.{fsname}-MDT*.evict_client")
    assert "ldlm.namespaces.DEVICE.NAME, " in refusal("ldlm.lru_size")
    assert "begin with ldlm., llite., " in refusal("nodemap.a.squash_uid")
