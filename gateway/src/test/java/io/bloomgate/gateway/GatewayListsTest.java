package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.gateway.testkit.Addition;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What leaves one gateway as text comes into another as the same entries. */
final class GatewayListsTest {

  private static final List<Addition> ENTRIES =
      List.of(
          Addition.allow("192.0.2.9").expires(in(Duration.ofDays(7))).reason("ticket 12, café"),
          Addition.allow("partner.example").from("192.0.2.0/24").reason("tied # to them"),
          Addition.allow("helo.example").scope(Check.HELO),
          Addition.allow("\"odd name\"@partner.example"),
          Addition.allow("198.0.0.0/8").reason("wide"),
          Addition.block("198.51.100.7").expires(in(Duration.ofHours(2))).reason("inside"),
          Addition.block("spam.example").scope(Check.SENDER_DOMAIN),
          Addition.allow("any.example").anyScope(true));

  @TempDir private Path directory;

  private static Instant in(Duration time) {
    return Instant.now().plus(time);
  }

  /** With expiry, --from, scope, reason, and what only --force lets in. */
  @Test
  void whatIsExportedIsImportedAsTheSameSet(@TempDir Path elsewhere) throws Exception {
    List<String> allows;
    List<String> blocks;
    GatewayHouse house = new GatewayHouse(directory).write();
    try (Gateway _ = house.start()) {
      for (Addition entry : ENTRIES) {
        house.done(entry.force(true).request());
      }
      allows = exported(house, ListKind.ALLOW);
      blocks = exported(house, ListKind.BLOCK);
      assertEquals(6, allows.size());
      assertEquals(2, blocks.size());
      assertImports(house, ListKind.ALLOW, allows, "unchanged");
      assertImports(house, ListKind.BLOCK, blocks, "unchanged");
    }
    GatewayHouse other = new GatewayHouse(elsewhere).write();
    try (Gateway _ = other.start()) {
      assertImports(other, ListKind.ALLOW, allows, "added");
      assertImports(other, ListKind.BLOCK, blocks, "added");
      assertEquals(allows, exported(other, ListKind.ALLOW));
      assertEquals(blocks, exported(other, ListKind.BLOCK));
      assertImports(other, ListKind.ALLOW, allows, "unchanged");
    }
  }

  private static List<String> exported(GatewayHouse house, ListKind list) throws Exception {
    return house.entries(list).stream()
        .map(entry -> entry.text("text").orElseThrow())
        .sorted()
        .toList();
  }

  private static void assertImports(
      GatewayHouse house, ListKind list, List<String> lines, String how) throws Exception {
    Answer answer = house.done(new ControlRequest.ListImport(list, "-", 1, lines, false));
    assertEquals(lines.size(), answer.only().number(how).getAsLong(), answer.toString());
  }
}
