/**
 * Filter files of other libraries: asked and shown as they are, and written so that these libraries
 * read them. {@link io.bloomgate.blocklists.workbench.foreign.ForeignFiles} is the way in. One
 * thread.
 */
@NullMarked
package io.bloomgate.blocklists.workbench.foreign;

import org.jspecify.annotations.NullMarked;
