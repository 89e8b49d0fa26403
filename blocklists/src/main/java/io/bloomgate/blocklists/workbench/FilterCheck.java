package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * {@code bloomgate filter verify}: whether every octet of a filter file is the one that was
 * written. Immutable.
 *
 * @param damage what is wrong, or an empty text
 */
public record FilterCheck(Path path, String damage) {

  /**
   * Reads the whole file. One that is larger than the memory is proven page by page, without being
   * made a filter.
   *
   * @throws OfflineException when it is not there or cannot be read
   */
  public static FilterCheck of(Path path, WorkbenchTools means) throws OfflineException {
    InputFiles.requireFile(path);
    try {
      InputFiles.requireFilter(path);
      if (means.canHold(Files.size(path))) {
        FilterKinds.read(path);
      } else {
        provePages(path);
      }
      return new FilterCheck(path, "");
    } catch (DamagedFileException e) {
      return new FilterCheck(path, String.valueOf(e.getMessage()));
    } catch (OfflineException e) {
      return damaged(path, e);
    } catch (IOException e) {
      throw InputFiles.unreadable(path, e);
    } catch (OutOfMemoryError e) {
      throw means.tooLarge(path.toString());
    }
  }

  private static FilterCheck damaged(Path path, OfflineException e) throws OfflineException {
    if (e.kind() == OfflineException.Kind.DAMAGED) {
      return new FilterCheck(path, e.problem());
    }
    throw e;
  }

  private static void provePages(Path path) throws IOException {
    PagedFile file = PagedFile.open(path);
    FileHeader header = file.header();
    if (FilterKind.ofFile(header.kind()).isEmpty()) {
      throw new DamagedFileException(path, "is a " + header.kind().title() + ", not a filter");
    }
    file.verify();
  }

  /** True when something is wrong. */
  public boolean isDamaged() {
    return !damage.isEmpty();
  }

  /** One object. */
  public JsonObject toJson() {
    JsonValue.ObjectBuilder object =
        JsonValue.object()
            .put("file", path.toString())
            .put("checksum", isDamaged() ? "damaged" : "ok");
    if (isDamaged()) {
      object.put("reason", damage);
    }
    return object.build();
  }
}
