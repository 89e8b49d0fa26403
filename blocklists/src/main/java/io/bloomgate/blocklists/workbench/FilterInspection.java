package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.workbench.foreign.ForeignFilter;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** {@code bloomgate filter inspect}: the measures of a filter file, also of another library. */
public final class FilterInspection {

  private FilterInspection() {}

  /**
   * The object of the contract, section 7, with the file's name and size. One of another library
   * has no version and no checksum.
   *
   * @throws OfflineException when it cannot be read, or is damaged
   */
  public static JsonObject of(Path file, WorkbenchTools tools) throws OfflineException {
    Optional<ForeignFilter> foreign = InputFiles.foreign(file, tools);
    return foreign.isPresent() ? of(foreign.get(), file) : LoadedFilter.read(file, tools).toJson();
  }

  static JsonObject of(ForeignFilter filter, Path file) throws OfflineException {
    ObjectBuilder object = JsonValue.object();
    filter.toJson().members().forEach(object::put);
    try {
      return object.put("file", file.toString()).put("octets", Files.size(file)).build();
    } catch (IOException e) {
      throw InputFiles.unreadable(file, e);
    }
  }
}
