package io.bloomgate.cli;

import static java.nio.file.StandardOpenOption.APPEND;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.bloomgate.blocklists.ListRules;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.config.name.IpAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code feeds test} finds held back beside a state directory. */
class FeedsTestGuardTest {

  @TempDir private Path folder;

  private static Shell.Result tested(Path settings, Path list) {
    return Shell.run("-c", settings.toString(), "feeds", "test", list.toString());
  }

  private Path settings(String guard) throws IOException {
    return Files.writeString(
        folder.resolve("bloomgate.yaml"),
        """
        domains: [example.com]
        hostname: mx.example.com
        downstream: {host: 203.0.113.25}
        feeds:
          GUARD
          sources:
            other: {file: other.txt}
        """
            .replace("GUARD", guard));
  }

  /** As the gateway does on this machine; the settings may be of another one. */
  @Test
  void theGatewaysOwnAddressIsHeldBackWhereItsStateIs() throws IOException {
    List<IpAddress> own = ListRules.ownAddresses(problem -> {});
    assumeFalse(own.isEmpty(), "this machine has loopback addresses only");
    Path settings =
        Files.writeString(
            settings("keep_generations: 5"),
            """
                own: {file: own.txt, allow_bogons: true}
            state_dir: state
            allow: {never_block: []}
            """,
            APPEND);
    Path list = Files.writeString(folder.resolve("own.txt"), "45.66.0.9\n" + own.getFirst() + "\n");
    String held = "1 held back: the gateway's own address";
    tested(settings, list).exits(0);
    Files.createDirectory(folder.resolve("state"));
    tested(settings, list).ends(4, held);
  }

  /** As the gateway would at the first load, so that nobody learns it from the first mails. */
  @Test
  void whatIsHeldBackIsNamedThatOfGoodSendersToo() throws Exception {
    Path settings =
        Files.writeString(
            settings("guard: {breaker: 3, max_good_hits: 5}"),
            "state_dir: state\nallow: {known_good: [partners.txt]}\n",
            APPEND);
    Path list =
        Files.writeString(
            folder.resolve("new.txt"),
            "45.66.0.9\n10.0.0.1\n203.0.113.25\n45.66.1.0/24\n45.66.2.0/24\n45.66.3.3\n");
    Files.writeString(folder.resolve("partners.txt"), "45.66.0.9\n");
    tested(settings, list)
        .ends(
            4,
            "guard      accept-rest, held back 2\n",
            "10.0.0.1 in line 2: reserved network\n",
            "203.0.113.25 in line 3: ",
            "45.66.0.9 in line 1 lists 45.66.0.9 (");
    Path state = Files.createDirectory(folder.resolve("state"));
    KnownSenders senders = KnownSenders.open(state.resolve(KnownSenders.FILE_NAME), _ -> {});
    IpAddress client = IpAddress.parse("45.66.1.7").toOptional().orElseThrow();
    for (int day = 0; day < 4; day++) {
      senders.accepted(client, "a@partner.example", Shell.NOW.minus(Duration.ofDays(day)));
    }
    senders.save();
    LeftState.allow(state, "45.66.2.7");
    tested(settings, list)
        .prints(
            "guard      accept-rest, held back 5\n",
            "45.66.0.9 in line 1: lists good senders\n",
            "45.66.1.0/24 in line 4: lists good senders\n",
            "lists 45.66.1.7 (known sender)\n",
            "lists 45.66.2.7 (allow entry)\n");
  }
}
