"""A program of a user. test_types.py checks it with mypy. It is never run."""

from __future__ import annotations

from typing import Any

from understudy import AsyncUnderstudy, Understudy, types, webhooks

client = Understudy("token", "https://understudy.example.com")

job = client.jobs.create(
    name="nightly",
    source={"type": "postgresql", "connection_string": "postgresql://source"},
    target={"type": "a database of the future", "connection_string": "future://"},
    tables=[{"name": "customers", "columns": {"email": {"generator": "email"}}}],
    idempotency_key="nightly-1",
)
identifier: str = job["id"]
status: str = job["status"]
if job["status"] == "a status of the future":
    print(job["progress"]["rows_done"] + 1)

schema = {"generators": {"id": {"type": "svc"}}, "output": ["id"]}
records: list[dict[str, Any]] = client.generate(schema, 5, seed=1)
data: bytes = client.generate_csv(schema, 5)
client.generate_csv(schema, 5, to="records.csv")

names: list[str] = [model["name"] for model in client.models.iterate(kind="ngram")]
page: types.ListSyncJobsResult = client.jobs.list(status="pending", per_page=10)
model = client.models.upload(name="a", file=open("a.ngram", "rb"), max_retries=0)
order: int = model["ngram_order"]
event: webhooks.Event = client.webhooks.verify(b"", {"a": "b"}, ["whsec_"])


async def main() -> None:
    async with AsyncUnderstudy.without_token("https://host") as anonymous:
        member = await anonymous.members.accept_invitation(token="a", timeout=5)
        token: str = member["api_token"]
        async for each in anonymous.tokens.iterate():
            print(each["name"], token)


client.jobs.remove("job_1")  # error: attr-defined
client.jobs.get(1)  # error: arg-type
client.jobs.get(id="job_1")  # error: call-arg
client.jobs.list(state="pending")  # error: call-arg
client.jobs.create(name="nightly")  # error: call-arg
client.jobs.get("job_1", idempotency_key="a")  # error: call-arg
client.organization.change(plan=1)  # error: arg-type
job["identifier"]  # error: typeddict-item
client.jobs.list("pending")  # error: misc
