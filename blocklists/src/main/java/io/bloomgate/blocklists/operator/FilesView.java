package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.config.name.ListKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The list files as they are now, read from the first to the last line at each question, in
 * constant memory: for the command line, where no gateway has them in its store. A file that cannot
 * be read has no entries. Any thread.
 */
final class FilesView implements OperatorView {

  private final ListFiles files;

  FilesView(ListFiles files) {
    this.files = files;
  }

  @Override
  public synchronized List<OperatorEntry> covering(ListKind list, ListKey key, Instant now) {
    List<OperatorEntry> found = new ArrayList<>();
    for (Path path : files.paths(list)) {
      try {
        Instant modified = Files.getLastModifiedTime(path).toInstant();
        FileContent.forEach(
            list,
            path,
            files.widths(),
            (line, entry) -> {
              if (entry.subject().covers(key)) {
                found.add(
                    entry.entry(
                        path.getFileName() + ":" + line, "file:" + path + ":" + line, modified));
              }
              return true;
            });
      } catch (IOException e) {
        // The next file may be readable.
      }
    }
    found.removeIf(entry -> entry.expiredAt(now));
    found.sort(Narrowness.NARROWER_FIRST);
    return found;
  }
}
