package io.bloomgate.gateway.testkit;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.sessions.DayWriter;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.RareFacts;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Mode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A session as it is kept: a mail of a stranger that was delivered, but for what a test says. */
public final class KeptSession {

  private Instant at = Instant.EPOCH;
  private String client = "203.0.113.7";
  private String helo = "mail.junk.example";
  private @Nullable String from = "news@junk.example";
  private String domain = "company.example";
  private String id = "7K3Q9ZT2AB";
  private Stage stage = Stage.DATA;
  private Mode mode = Mode.ENFORCE;
  private Outcome outcome = Outcome.DELIVERED;
  private String to = "alice@company.example";
  private String verdict = "accept";
  private long generation = 1;
  private List<Evidence.Listing> listings = List.of();
  private String reply = "250 2.0.0 Ok";
  private int times = 1;
  private RareFacts more = RareFacts.NOTHING;

  public KeptSession at(Instant value) {
    at = value;
    return this;
  }

  public KeptSession client(String value) {
    client = value;
    return this;
  }

  public KeptSession helo(String value) {
    helo = value;
    return this;
  }

  public KeptSession from(@Nullable String value) {
    from = value;
    return this;
  }

  public KeptSession domain(String value) {
    domain = value;
    return this;
  }

  public KeptSession id(String value) {
    id = value;
    return this;
  }

  public KeptSession stage(Stage value) {
    stage = value;
    return this;
  }

  public KeptSession mode(Mode value) {
    mode = value;
    return this;
  }

  public KeptSession to(String value) {
    to = value;
    return this;
  }

  public KeptSession verdict(String value) {
    verdict = value;
    return this;
  }

  public KeptSession generation(long value) {
    generation = value;
    return this;
  }

  public KeptSession listings(List<Evidence.Listing> value) {
    listings = value;
    return this;
  }

  public KeptSession times(int value) {
    times = value;
    return this;
  }

  public KeptSession more(RareFacts value) {
    more = value;
    return this;
  }

  public KeptSession answer(Outcome how, String answer) {
    outcome = how;
    reply = answer;
    return this;
  }

  /** Through a forwarder, or for a recipient with a profile. */
  public static RareFacts rare(Map<String, String> passed, String profile) {
    return new RareFacts(
        "", ClientName.State.UNKNOWN, false, false, false, Set.of(), null, passed, "", "", profile);
  }

  public Evidence evidence() {
    return new Evidence(
        at,
        IpAddress.parse(client).toOptional().orElseThrow(),
        helo,
        from,
        List.of(domain),
        1,
        "ESMTP",
        "mx",
        new Evidence.Decision(id, stage, mode, outcome, to, verdict, generation, listings, reply),
        4_096,
        Duration.ofMillis(12),
        times,
        more);
  }

  /** Writes sessions into the files of their days, the oldest first. */
  public static void write(SessionDays days, List<Evidence> sessions) throws IOException {
    days.create();
    Map<LocalDate, List<Evidence>> byDay =
        sessions.stream()
            .sorted(Comparator.comparing(Evidence::at))
            .collect(
                Collectors.groupingBy(
                    session -> LocalDate.ofInstant(session.at(), ZoneOffset.UTC),
                    TreeMap::new,
                    Collectors.toList()));
    for (Map.Entry<LocalDate, List<Evidence>> day : byDay.entrySet()) {
      try (DayWriter writer = DayWriter.open(days.day(day.getKey(), 1).file(), day.getKey())) {
        for (Evidence session : day.getValue()) {
          writer.add(session, null);
        }
        writer.commit();
      }
    }
  }
}
