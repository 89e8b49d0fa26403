package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.impact.PastSession.Outcome;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Random lists and sessions from so few addresses and names that they meet. */
final class RandomMail {

  static final Instant START = Instant.parse("2026-11-14T00:00:00Z");

  private static final List<Outcome> OUTCOMES = List.of(Outcome.values());

  private final Random random;

  RandomMail(long seed) {
    random = new Random(seed);
  }

  /** Lines of a list: addresses, networks, names, mail addresses, a few exceptions. */
  List<String> list(int entries) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      lines.add(
          switch (random.nextInt(6)) {
            case 0, 1 -> ip().toString();
            case 2 -> "45.66." + random.nextInt(4) + ".0/" + (24 + random.nextInt(8));
            case 3 -> name();
            case 4 -> "u" + random.nextInt(5) + "@" + name();
            default -> "d" + random.nextInt(30) + ".bulk-mail.net";
          });
    }
    return lines;
  }

  List<PastSession> sessions(int number) {
    List<PastSession> sessions = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      Outcome outcome = OUTCOMES.get(random.nextInt(OUTCOMES.size()));
      boolean refused = outcome == Outcome.REFUSED;
      sessions.add(
          new PastSession(
              START.plusSeconds(random.nextInt(604_800)),
              "",
              facts(),
              Set.of(),
              outcome,
              refused,
              refused ? List.of("old") : List.of(),
              false,
              1 + random.nextInt(3)));
    }
    return sessions;
  }

  private Facts facts() {
    Facts facts = Facts.ofClient(ip());
    if (random.nextBoolean()) {
      facts = facts.withHelo(domain(name()));
    }
    if (random.nextInt(5) > 0) {
      facts =
          facts.withSender(
              MailAddress.parse("u" + random.nextInt(5) + "@" + name()).toOptional().orElseThrow());
    }
    return facts.withRecipient(
        new Facts.Recipient(random.nextInt(10) == 0 ? "postmaster" : "bob", "example.com", true));
  }

  private IpAddress ip() {
    return IpAddress.ofV4(45 << 24 | 66 << 16 | random.nextInt(1024));
  }

  private String name() {
    return (random.nextBoolean() ? "mx." : "") + "d" + random.nextInt(30) + ".bulk-mail.net";
  }

  private static DomainName domain(String name) {
    return DomainName.parse(name).toOptional().orElseThrow();
  }
}
