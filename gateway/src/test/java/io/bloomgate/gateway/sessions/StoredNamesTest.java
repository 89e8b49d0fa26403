package io.bloomgate.gateway.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.sessions.DayRetention;
import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.SessionSettings;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A domain is found however the client wrote it (SMTPUTF8), and however it is asked for. */
final class StoredNamesTest {

  @TempDir private Path directory;
  private Instant now = Decisions.NOW;

  @Test
  void bothSpellingsOfADomainFindIt() throws IOException {
    SessionDays days = new SessionDays(directory);
    try (SessionStore store =
        new SessionStore(
            days,
            new DayRetention(days),
            new SessionSettings(Duration.ofDays(30), 1L << 30, Privacy.FULL),
            () -> now,
            System::nanoTime,
            Thread::new)) {
      store.start();
      store.keep(
          Decisions.with(
              Decisions.record(
                  "203.0.113.7",
                  Outcome.DELIVERED,
                  Decisions.accepted(),
                  Reply.of(250, "2.0.0", "Ok"),
                  "client.example",
                  "x@B\u00fccher.example",
                  "bob@K\u00f6ln.example",
                  "eve@xn--bcher-kva.example"),
              IncidentId.format(1),
              now));
      assertTrue(store.awaitWritten());
      found(store);
      now = now.plus(Duration.ofDays(1));
      store.keep(Decisions.with(Decisions.refused("192.0.2.1", "drop"), IncidentId.format(2), now));
      assertTrue(store.awaitWritten());
      found(store);
    }
  }

  private void found(SessionStore store) throws IOException {
    for (String domain : new String[] {"b\u00fccher.example", "xn--bcher-kva.example"}) {
      assertEquals(1, count(store, domain, null), domain);
      assertEquals(1, count(store, "x@" + domain, null), domain);
      assertEquals(1, count(store, null, domain), domain);
    }
    assertEquals(1, count(store, ".example", null));
    for (String domain : new String[] {"K\u00d6LN.example", "xn--kln-sna.example"}) {
      assertEquals(1, count(store, null, domain), domain);
      assertEquals(1, count(store, null, "bob@" + domain), domain);
    }
  }

  private int count(SessionStore store, @Nullable String from, @Nullable String to)
      throws IOException {
    AtomicInteger count = new AtomicInteger();
    store
        .search()
        .forEach(
            new SessionQuery(
                Decisions.NOW.minusSeconds(1),
                Decisions.NOW.plusSeconds(1),
                null,
                from,
                to,
                null,
                null,
                null,
                null),
            session -> count.incrementAndGet() > 0);
    return count.get();
  }
}
