package io.bloomgate.it;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The section "Dovecot LMTP" of config/recipes.md, with a real Dovecot. */
class DovecotRecipeTest {

  private static final String TITLE = "Dovecot LMTP";

  @TempDir Path folder;

  @Test
  void recipeHolds() throws Exception {
    RecipePage page = RecipePage.load();
    int port = FreePort.next();
    String lines =
        RecipePage.replaced(
            page.lines(TITLE, "/etc/dovecot/local.conf"),
            "10.0.0.5",
            "127.0.0.5",
            "port = 24",
            "port = " + port,
            "10.0.0.2",
            "127.0.0.1");
    // Its mail user must be able to come here.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (DovecotServer dovecot =
            DovecotServer.startOrSkip(
                folder.resolve("dovecot"), new DovecotServer.Listener("127.0.0.5", port, lines));
        GatewayFixture gateway =
            page.into(
                    GatewayFixture.in(Files.createDirectory(folder.resolve("gateway")), 1),
                    TITLE,
                    "10.0.0.5",
                    "127.0.0.5",
                    "port: 24",
                    "port: " + port + "\n  reverse_names: off")
                .with("domains", "[example.com, foreign.example]")
                .start()) {
      List<String> seen = new ArrayList<>();
      new RecipeProof(
              gateway,
              () -> {
                List<String> stored = new ArrayList<>(dovecot.mailbox("bob"));
                stored.removeAll(seen);
                seen.addAll(stored);
                return stored.getFirst();
              },
              () -> dovecot.mailbox("bob").size())
          .holds();
    }
  }
}
