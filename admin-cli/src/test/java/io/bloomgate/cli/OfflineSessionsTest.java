package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.sessions.DayWriter;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.RareFacts;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kept sessions, read without a gateway. */
class OfflineSessionsTest {

  private static final String ID = "7K3Q9ZT2AB";

  @TempDir Path folder;
  private String settings = "";

  @BeforeEach
  void keepOne() throws Exception {
    settings =
        Files.writeString(
                folder.resolve("bloomgate.yaml"),
                """
                domains: [example.com]
                hostname: mx.example.com
                state_dir: state
                downstream: {host: 192.0.2.25}
                feeds: {sources: {drop: {file: drop.txt, action: reject}}}
                """)
            .toString();
    SessionDays days = new SessionDays(Files.createDirectory(folder.resolve("state")));
    days.create();
    LocalDate today = LocalDate.parse("2026-11-21");
    try (DayWriter writer = DayWriter.open(days.day(today, 1).file(), today)) {
      writer.add(refused(), null);
      writer.commit();
    }
  }

  private static Evidence refused() {
    Evidence.Listing drop =
        new Evidence.Listing(
            Check.CLIENT_IP, "203.0.113.7", "drop", "203.0.113.0/24", 17, Action.REJECT, "");
    return new Evidence(
        Shell.NOW.minusSeconds(60),
        IpAddress.parse("203.0.113.7").toOptional().orElseThrow(),
        "mail.example",
        "a@spam.example",
        List.of("example.com"),
        1,
        "ESMTP",
        "mx",
        new Evidence.Decision(
            ID,
            Stage.RCPT,
            Mode.ENFORCE,
            Outcome.REFUSED,
            "bob@example.com",
            "reject",
            412,
            List.of(drop),
            "554 5.7.1 Refused"),
        0,
        Duration.ofMillis(12),
        1,
        RareFacts.NOTHING);
  }

  private Shell.Result run(String... args) {
    return Shell.run(List.of("-c", settings), args);
  }

  @ParameterizedTest
  @ValueSource(strings = {ID, "[" + ID + "]", "[7k3q9zt2ab]"})
  void anIdIsTakenAsItIsInABounce(String id) {
    run("sessions", "show", id, "--offline").ends(0, "203.0.113.7");
    run("explain", id, "--offline").ends(1, "203.0.113.0/24");
  }

  @Test
  void withoutAGatewayAnIdIsAnsweredFromTheFilesAndOneThingIsSaid() {
    run("explain", ID)
        .fails(1, "no gateway answers")
        .prints("203.0.113.0/24")
        .complainsNo("running gateway only");
    run("explain", "7K3Q9ZT2AC").fails(1, "no session 7K3Q9ZT2AC is known");
  }

  @Test
  void aListThatDoesNotExistIsNamed() {
    Shell.Result none = run("sessions", "list", "--feed", "nosuch", "--offline").exits(0);
    assertTrue(none.out().startsWith("no sessions since 2026-11-"), none.out());
    none.prints("`nosuch`", "`bloomgate feeds list -c ");
    run("sessions", "list", "--feed", "drop", "--from", "x.example", "--offline")
        .prints("no sessions since ");
  }

  @Test
  void aTimeThatEndsBeforeItBeginsIsRefused() {
    run("sessions", "list", "--since", "1h", "--until", "2h", "--offline")
        .fails(2, "--until 2h is not later than --since 1h");
  }
}
