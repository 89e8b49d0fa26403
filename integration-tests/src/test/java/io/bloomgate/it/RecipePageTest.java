package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** config/recipes.md as a whole: each section has a test, or says that it was not tried. */
class RecipePageTest {

  /** Those that a test of this package runs. */
  private static final List<String> TRIED =
      List.of(
          "Postfix on the same machine",
          "Postfix on another machine",
          "Exim",
          "OpenSMTPD",
          "Dovecot LMTP",
          "HAProxy in front",
          "rspamd behind",
          "fail2ban");

  @Test
  void everySectionIsTriedOrSaysThatItIsNot() throws IOException {
    RecipePage page = RecipePage.load();
    assertTrue(page.titles().containsAll(TRIED), page.titles()::toString);
    for (String title : page.titles()) {
      boolean marked = page.section(title).contains("from documentation, not tried");
      assertEquals(!TRIED.contains(title), marked, title);
    }
  }

  @Test
  void everySectionSaysWhatToCheckAndHasATrap() throws IOException {
    RecipePage page = RecipePage.load();
    for (String title : page.titles()) {
      assertTrue(page.section(title).contains("\n**Check**: "), title);
      assertTrue(page.section(title).contains("\n**Trap**: "), title);
    }
  }
}
