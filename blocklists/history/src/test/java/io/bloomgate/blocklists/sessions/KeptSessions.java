package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/** Random sessions for tests, from a seed. */
public final class KeptSessions {

  private final Random random;
  private long nextId = 1;

  public KeptSessions(long seed) {
    this.random = new Random(seed);
  }

  /** A session of about that time. */
  public Evidence next(Instant at) {
    int kind = random.nextInt(10);
    IpAddress client = client();
    String domain = "d" + random.nextInt(30) + (random.nextBoolean() ? ".example" : ".sub.example");
    String from = random.nextInt(10) == 0 ? "" : "l" + random.nextInt(20) + "@" + domain;
    Outcome outcome = kind < 6 ? Outcome.REFUSED : kind < 9 ? Outcome.DELIVERED : Outcome.PROTOCOL;
    String verdict =
        outcome == Outcome.REFUSED
            ? List.of("reject", "tempfail", "greylist").get(random.nextInt(3))
            : outcome == Outcome.DELIVERED ? "accept" : "";
    List<String> to =
        random.nextBoolean() ? List.of("home.example") : List.of("home.example", "two.example");
    String id = IncidentId.format(nextId++ * 0x9E3779B97F4AL & (1L << 50) - 1);
    return new Evidence(
        Instant.ofEpochMilli(at.toEpochMilli()),
        client,
        "helo" + random.nextInt(100) + ".example",
        from,
        to,
        to.size(),
        "ESMTPS",
        "[::]:25",
        new Evidence.Decision(
            id,
            outcome == Outcome.DELIVERED ? Stage.DATA : Stage.RCPT,
            random.nextInt(3) == 0 && outcome == Outcome.DELIVERED ? Mode.OBSERVE : Mode.ENFORCE,
            outcome,
            "bob" + random.nextInt(5) + "@home.example",
            verdict,
            random.nextInt(50),
            outcome == Outcome.PROTOCOL ? List.of() : listings(client, outcome, domain),
            reply(outcome, client, id)),
        random.nextInt(100_000),
        Duration.ofMillis(random.nextInt(5_000)),
        random.nextInt(50) == 0 ? 2 + random.nextInt(9) : 1,
        new RareFacts(
            random.nextInt(4) == 0
                ? new ClientName("host.example", ClientName.State.CONFIRMED)
                : ClientName.UNKNOWN,
            random.nextInt(20) == 0,
            random.nextInt(20) == 0));
  }

  private IpAddress client() {
    String text =
        random.nextInt(5) == 0
            ? "2001:db8:" + random.nextInt(9) + "::" + (1 + random.nextInt(9))
            : "203.0." + random.nextInt(8) + "." + random.nextInt(40);
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  private List<Evidence.Listing> listings(IpAddress client, Outcome outcome, String domain) {
    Evidence.Listing first =
        new Evidence.Listing(
            Check.CLIENT_IP,
            client.toString(),
            "feed" + random.nextInt(4),
            random.nextBoolean() ? client.toString() : "203.0.0.0/16",
            random.nextInt(1_000),
            Action.REJECT,
            "",
            place(),
            random.nextInt(5) == 0 ? Weakness.EXEMPT : Weakness.NONE,
            false);
    boolean exemptAmong = random.nextInt(5) == 0;
    Evidence.Listing other =
        new Evidence.Listing(
            Check.SENDER_DOMAIN,
            domain,
            "names\"odd",
            domain,
            7,
            Action.OBSERVE,
            "allowed, by a 'friend'",
            exemptAmong ? Place.OPEN : place(),
            exemptAmong ? Weakness.EXEMPT : Weakness.NONE,
            random.nextInt(9) == 0);
    if (outcome == Outcome.DELIVERED) {
      return random.nextBoolean() ? List.of() : List.of(other);
    }
    return random.nextBoolean() ? List.of(first) : List.of(first, other);
  }

  private Place place() {
    List<Place> places = List.of(Place.values());
    return places.get(random.nextInt(places.size()));
  }

  private String reply(Outcome outcome, IpAddress client, String id) {
    return switch (outcome) {
      case REFUSED -> "554 5.7.1 Client host [" + client + "] blocked using feed [" + id + "]";
      case DELIVERED -> "250 2.0.0 Ok: queued as " + Integer.toHexString(random.nextInt());
      default -> "554 5.7.1 Relay access denied";
    };
  }
}
