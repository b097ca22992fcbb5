module helper = import "nowhere/helper"
