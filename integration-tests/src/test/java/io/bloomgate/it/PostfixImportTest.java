package io.bloomgate.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Gather;
import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.Signs;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.blocklists.operator.migration.Migration;
import io.bloomgate.blocklists.operator.migration.Migration.Origin;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Imported Postfix tables refuse and let pass what Postfix itself does: every answer is asked of
 * {@code postmap -q}. Skipped where there is no Postfix.
 */
class PostfixImportTest {

  private static final long SEED = 0x1a_b1e5L;
  private static final int LINES = 3_000;

  /** Fewer, because lists of a few entries, as this test has them, are searched one by one. */
  private static final int KEYS = 2_000;

  private static final Instant NOW = Instant.parse("2026-11-21T07:30:00Z");
  private static final List<String> ACTIONS =
      List.of("REJECT", "REJECT no", "550 5.7.1 no", "OK", "DUNNO", "450 4.7.1 later");

  @TempDir private Path folder;

  @BeforeAll
  static void postfix() {
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/sbin/postmap")), "no Postfix here");
  }

  @Test
  void aCidrTableAnswersWithItsFirstMatch() throws IOException, InterruptedException {
    Random random = new Random(SEED);
    List<String> lines = new ArrayList<>();
    Set<String> asked = new LinkedHashSet<>();
    for (int i = 0; i < LINES; i++) {
      int length = 12 + random.nextInt(21);
      // Few first octets, so that networks lie inside each other in both orders.
      int bits = ((10 + random.nextInt(3)) << 24) | random.nextInt(1 << 22);
      int hostBits = (int) ((1L << (32 - length)) - 1);
      int network = bits & ~hostBits;
      lines.add(IpAddress.ofV4(network) + "/" + length + "  " + action(random));
      asked.add(IpAddress.ofV4(network).toString());
      asked.add(IpAddress.ofV4(network | (random.nextInt() & hostBits)).toString());
      asked.add(IpAddress.ofV4(network - 1).toString());
    }
    Map<String, String> answers = postmap("cidr", lines, asked);
    assertTrue(answers.size() > LINES / 2, "hits: " + answers.size());
    Lists lists = imported(lines);
    for (String address : asked) {
      assertSame(refuses(answers.getOrDefault(address, "")), lists, client(address), address);
    }
  }

  @Test
  void anAccessTableAnswersWithItsMostSpecificKey() throws IOException, InterruptedException {
    Random random = new Random(SEED);
    Map<String, String> table = new HashMap<>();
    while (table.size() < KEYS) {
      table.put(key(random), action(random));
    }
    List<String> lines =
        table.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList();
    Map<String, String> answers = postmap("texthash", lines, table.keySet());
    assertEquals(table.size(), answers.size());
    Lists lists = imported(lines);
    for (String key : table.keySet()) {
      if (key.indexOf('@') >= 0) {
        assertSame(refuses(ofSender(answers, key)), lists, sender(key), key);
      } else if (Character.isDigit(key.charAt(0))) {
        String host = key + ".9".repeat(3 - (int) key.chars().filter(c -> c == '.').count());
        assertSame(refuses(ofClient(answers, host)), lists, client(host), host);
      } else {
        String mailbox = "somebody@" + key;
        assertSame(refuses(ofSender(answers, mailbox)), lists, sender(mailbox), mailbox);
      }
    }
  }

  private static String action(Random random) {
    return ACTIONS.get(random.nextInt(ACTIONS.size()));
  }

  private static String key(Random random) {
    String domain = "d" + random.nextInt(160) + ".example";
    return switch (random.nextInt(5)) {
      case 0 -> domain;
      case 1 -> "s" + random.nextInt(9) + "." + domain;
      case 2 -> "u" + random.nextInt(9) + "@s" + random.nextInt(9) + "." + domain;
      case 3 -> "10." + random.nextInt(18) + "." + random.nextInt(18);
      default -> "10." + random.nextInt(18) + "." + random.nextInt(18) + "." + random.nextInt(40);
    };
  }

  /** The search of access(5), "host name/address patterns": the address, then its beginnings. */
  private static String ofClient(Map<String, String> table, String address) {
    for (String key = address; ; key = key.substring(0, key.lastIndexOf('.'))) {
      if (table.containsKey(key) || key.indexOf('.') < 0) {
        return table.getOrDefault(key, "");
      }
    }
  }

  /**
   * The search of access(5), "e-mail address patterns": the mailbox, then its domain and parents.
   */
  private static String ofSender(Map<String, String> table, String mailbox) {
    if (table.containsKey(mailbox)) {
      return table.getOrDefault(mailbox, "");
    }
    String domain = mailbox.substring(mailbox.indexOf('@') + 1);
    while (!table.containsKey(domain) && domain.indexOf('.') >= 0) {
      domain = domain.substring(domain.indexOf('.') + 1);
    }
    return table.getOrDefault(domain, "");
  }

  private static boolean refuses(String action) {
    return action.startsWith("REJECT") || action.startsWith("4") || action.startsWith("5");
  }

  private Map<String, String> postmap(String type, List<String> lines, Set<String> keys)
      throws IOException, InterruptedException {
    Path table = Files.write(folder.resolve("table"), lines, US_ASCII);
    Path questions = Files.write(folder.resolve("questions"), keys, US_ASCII);
    Path answers = folder.resolve("answers");
    Process postmap =
        new ProcessBuilder("/usr/sbin/postmap", "-q", "-", type + ":" + table)
            .redirectInput(questions.toFile())
            .redirectOutput(answers.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    postmap.waitFor();
    Map<String, String> found = new HashMap<>();
    for (String line : Files.readAllLines(answers, US_ASCII)) {
      int tab = line.indexOf('\t');
      found.put(line.substring(0, tab), line.substring(tab + 1));
    }
    return found;
  }

  private static Lists imported(List<String> lines) {
    Migration migration =
        Migration.of(new Migration.Request(Origin.POSTFIX, null, null, ""), lines);
    List<OperatorEntry> entries = new ArrayList<>();
    for (Migration.Taken taken : migration.taken()) {
      NewEntry e = taken.entry();
      entries.add(
          new NewEntry(e.list(), e.subject(), e.from(), e.scope(), e.anyScope(), e.reason(), null)
              .entry("e" + taken.line(), "import", NOW));
    }
    return new Lists(ListSnapshot.EMPTY, OperatorView.of(entries), Map.of());
  }

  private static Facts client(String address) {
    return Facts.ofClient(good(IpAddress.parse(address)));
  }

  private static Facts sender(String mailbox) {
    return client("192.0.2.1").withSender(good(MailAddress.parse(mailbox)));
  }

  private static <T> T good(Parsed<T> parsed) {
    return ((Parsed.Ok<T>) parsed).value();
  }

  private static void assertSame(boolean refused, Lists lists, Facts facts, String asked) {
    Policy policy =
        new Policy(
            Map.of(),
            List.of(),
            Signs.NONE,
            Map.of(),
            List.of(),
            List.of(),
            Settings.Policy.OnError.ACCEPT,
            List.of());
    Verdict verdict = Gather.verdict(facts, lists, policy, NOW);
    assertEquals(
        refused, verdict instanceof Verdict.Reject, () -> "seed " + SEED + ", asked " + asked);
  }
}
