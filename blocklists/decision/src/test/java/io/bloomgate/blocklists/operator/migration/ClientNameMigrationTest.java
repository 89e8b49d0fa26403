package io.bloomgate.blocklists.operator.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.operator.OperatorText;
import io.bloomgate.blocklists.operator.migration.Migration.Kind;
import io.bloomgate.blocklists.operator.migration.Migration.Origin;
import io.bloomgate.blocklists.operator.migration.Migration.Request;
import io.bloomgate.config.name.ListKind;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Clients by name, as tables of Postfix and plain lists have them. */
class ClientNameMigrationTest {

  private static Migration read(Origin origin, Kind kind, @Nullable ListKind as, String text) {
    return Migration.of(new Request(origin, kind, as, ""), text.lines().toList());
  }

  private static List<String> taken(Migration migration) {
    return migration.taken().stream()
        .map(one ->
            one.line() + " " + one.entry().list().key() + " " + OperatorText.format(one.entry()))
        .toList();
  }

  private static List<String> left(Migration migration) {
    return migration.left().stream().map(one -> one.line() + " " + one.reason()).toList();
  }

  @Test
  void clientsByName() {
    String table =
        """
        mail.example.net OK
        *.dyn.example.net REJECT
        x@example.net REJECT
        """;
    Migration m = read(Origin.POSTFIX, Kind.CLIENT, null, table);
    assertEquals(
        List.of(
            "1 allow mail.example.net scope=client_name",
            "1 allow .mail.example.net scope=client_name",
            "2 block .dyn.example.net scope=client_name"),
        taken(m));
    assertEquals(List.of("3 a mail address is not a client"), left(m));
    Migration dotted =
        read(
            Origin.POSTFIX,
            Kind.CLIENT,
            null,
            "example.net OK\n.example.net REJECT\n.top REJECT\n192.0.2.1 OK\n");
    assertEquals(
        List.of(
            "1 allow example.net scope=client_name",
            "2 block .example.net scope=client_name",
            "3 block .top scope=client_name",
            "4 allow 192.0.2.1"),
        taken(dotted));
    assertEquals(
        List.of(
            "keys that begin with a dot are taken: Postfix looks them up only where"
                + " parent_domain_matches_subdomains is without smtpd_access_maps"),
        dotted.notes());
    assertEquals(
        List.of(
            "1 block mail.example.net scope=client_name", "2 block .dyn.example scope=client_name"),
        taken(read(Origin.LINES, Kind.CLIENT, ListKind.BLOCK, "mail.example.net\n.dyn.example\n")));
  }
}
