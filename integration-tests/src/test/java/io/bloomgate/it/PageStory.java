package io.bloomgate.it;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A gateway with its pages, one for all tests of a class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PageStory {

  Path folder;
  PageFixture page;

  @BeforeAll
  final void startPage(@TempDir Path directory) throws IOException {
    folder = directory;
    page = new PageFixture(folder);
  }

  @AfterAll
  final void stopPage() {
    page.close();
  }
}
