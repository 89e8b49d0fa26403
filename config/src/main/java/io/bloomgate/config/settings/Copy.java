package io.bloomgate.config.settings;

import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Copies of records in which some components are others: nobody has to keep a list of all
 * components up to date. Pure; any thread.
 */
public final class Copy {

  private Copy() {}

  /**
   * A copy.
   *
   * @param others the components that differ, by their names
   */
  public static <R extends Record> R of(Class<R> type, R record, Map<String, ?> others) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    @Nullable Object[] values = new Object[components.length];
    Set<String> unknown = new HashSet<>(others.keySet());
    try {
      for (int i = 0; i < components.length; i++) {
        String name = components[i].getName();
        types[i] = components[i].getType();
        values[i] =
            unknown.remove(name) ? others.get(name) : components[i].getAccessor().invoke(record);
      }
      if (!unknown.isEmpty()) {
        throw new IllegalArgumentException(type + " has no " + unknown);
      }
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("copy of " + type, e);
    }
  }
}
