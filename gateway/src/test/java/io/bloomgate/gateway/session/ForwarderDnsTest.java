package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** DNS lists about the client behind a forwarder, who is known when content is coming already. */
final class ForwarderDnsTest {

  private static final IpAddress BEHIND = IpAddress.ofV4(0xcb007107);

  /** Lists that client alone, and takes a day of the gateway's clock for the answer. */
  private static DnsLists slow(TestGateway gateway) {
    return new DnsLists() {
      @Override
      public Set<Check> checks() {
        return Set.of(Check.CLIENT_IP);
      }

      @Override
      public boolean asks(Check check, ListKey key) {
        return true;
      }

      @Override
      public Pending ask(Check check, ListKey subject, IpAddress client) {
        return () -> {
          if (!subject.equals(BEHIND)) {
            return List.of();
          }
          gateway.ahead.addAndGet(Duration.ofDays(1).toNanos());
          gateway.tickedOnce();
          return List.of(
              new DnsListing(
                  "bl",
                  check,
                  subject,
                  "bl.example",
                  IpAddress.ofV4(0x7f000002),
                  Duration.ZERO,
                  Instant.EPOCH));
        };
      }
    };
  }

  @Test
  void theTimeOfListsDoesNotCountAsTheClients() throws Exception {
    try (TestGateway gateway =
        TestGateway.plain()
            .withFeeds(
                "bl: {dns: bl.example, action: reject}\n",
                "policy: {forwarders: [127.0.0.0/8]}\n")) {
      gateway.asking(slow(gateway));
      try (SmtpClient client = gateway.connect().upToMail("a@sender.example")) {
        expect("250", client.ask("RCPT TO:<bob@example.com>"));
        expect("354", client.ask("DATA"));
        client.raw("Received: from x (unknown [203.0.113.7]) by in.forwarder.example; now\r\n\r\n");
        expect("250", client.content("body\r\n"));
      }
      gateway.awaitQuiet();
      assertInstanceOf(Verdict.Tag.class, gateway.telemetry.decisions.getLast().verdict());
    }
  }
}
