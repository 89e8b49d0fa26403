package io.bloomgate.gateway.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A domain is found however the client wrote it (SMTPUTF8), and however it is asked for. */
final class StoredNamesTest extends StoreFixture {

  @Test
  void bothSpellingsOfADomainFindIt() throws IOException {
    try (SessionStore store = open()) {
      store.keep(
          Decisions.with(
              Decisions.record(
                  CLIENT,
                  Outcome.DELIVERED,
                  Decisions.accepted(),
                  Reply.of(250, "2.0.0", "Ok"),
                  "client.example",
                  "x@B\u00fccher.example",
                  "bob@K\u00f6ln.example",
                  "eve@xn--bcher-kva.example"),
              id(1),
              now));
      assertTrue(store.awaitWritten());
      found(store);
      now = now.plus(Duration.ofDays(1));
      refuse(store, 2);
      now = Decisions.NOW;
      found(store);
    }
  }

  private void found(SessionStore store) throws IOException {
    for (String domain : new String[] {"b\u00fccher.example", "xn--bcher-kva.example"}) {
      assertEquals(1, asked(store, null, null, domain), domain);
      assertEquals(1, asked(store, null, null, "x@" + domain), domain);
      assertEquals(1, asked(store, null, domain, null), domain);
    }
    assertEquals(1, asked(store, null, null, ".example"));
    for (String domain : new String[] {"K\u00d6LN.example", "xn--kln-sna.example"}) {
      assertEquals(1, asked(store, null, domain, null), domain);
      assertEquals(1, asked(store, null, "bob@" + domain, null), domain);
    }
  }
}
